type Ports = { port: number; smtpPort: number }

/** The mailbox's addresses, derived from its ports: available before it has started. */
export const mailboxUrls = ({ port, smtpPort }: Ports) => ({
  mailboxUrl: `http://localhost:${port}`,
  smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
})

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
    maxEmails: 2_000,
    silent: true,
  })
  await maildev.start()
  return { stop: () => maildev.stop() }
}
