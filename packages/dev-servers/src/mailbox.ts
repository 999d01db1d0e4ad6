type Ports = { port: number; smtpPort: number }

/** Where the mailbox is, from its ports alone: known before it runs. */
export const mailboxAt = ({ port, smtpPort }: Ports) => ({
  mailboxUrl: `http://localhost:${port}`,
  smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
})

/** A mail server that delivers nothing: every mail can be read in the browser. Mails outlive a restart. */
export async function startMailbox({ port, smtpPort, folder }: Ports & { folder: string }) {
  // Reading this package takes longer than all else around the store.
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
