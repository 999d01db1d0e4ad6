import { MailDev } from 'maildev'

/** A mail server that delivers nothing: every mail can be read in the browser. Mails outlive a restart. */
export async function startMailbox({ port, smtpPort, folder }: { port: number; smtpPort: number; folder: string }) {
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
  return {
    url: `http://localhost:${port}`,
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    stop: () => maildev.stop(),
  }
}
