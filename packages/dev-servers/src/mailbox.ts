type Ports = { port: number; smtpPort: number }

/** The mailbox's addresses, derived from its ports: available before it has started. */
export const mailboxUrls = ({ port, smtpPort }: Ports) => ({
  mailboxUrl: `http://localhost:${port}`,
  smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
})

/** Older mails are removed. A chaos campaign of 1,000 purchases sends 2,600, and asks for each of them. */
const MAX_MAILS = 5_000

/** A mail server that delivers nothing: mails are shown in the browser and kept in the folder across restarts. */
export async function startMailbox({ port, smtpPort, folder }: Ports & { folder: string }) {
  // A slow import: loaded only when the mailbox starts.
  const { MailDev } = await import('maildev')
  const maildev = new MailDev({
    smtp: smtpPort,
    ip: '127.0.0.1',
    web: port,
    webIp: '127.0.0.1',
    mailDirectory: folder,
    maxEmails: MAX_MAILS,
    silent: true,
  })
  await maildev.start()
  return { stop: () => maildev.stop() }
}
