import { freePort } from './free-port.ts'
import { passConnections } from './pass-connections.ts'

type Ports = { port: number; smtpPort: number }

/** The mailbox's addresses, derived from its ports: available before it has started. */
export const mailboxUrls = ({ port, smtpPort }: Ports) => ({
  mailboxUrl: `http://localhost:${port}`,
  smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
})

/** Older mails are removed. A chaos campaign of 1,000 purchases sends 2,600, and asks for each of them. */
const MAX_MAILS = 5_000

/**
 * A mail server that delivers nothing: mails are shown in the browser and kept in the folder across restarts. Both
 * ports accept connections at once; the server behind them is loaded by the first one, because its 1,400 modules take
 * longer than all other dependencies of a store, and a store may send no mail.
 */
export async function startMailbox({ port, smtpPort, folder }: Ports & { folder: string }) {
  let starting: ReturnType<typeof startMaildev> | undefined
  const started = () => {
    starting ??= startMaildev(folder)
    // The next connection tries again.
    starting.catch(() => {
      starting = undefined
    })
    return starting
  }
  const listeners = await Promise.all([
    passConnections(port, async () => (await started()).port),
    passConnections(smtpPort, async () => (await started()).smtpPort),
  ])
  return {
    stop: async () => {
      await Promise.all(listeners.map((listener) => listener.stop()))
      await (await starting?.catch(() => undefined))?.stop()
    },
  }
}

async function startMaildev(folder: string) {
  const [{ MailDev }, port, smtpPort] = await Promise.all([import('maildev'), freePort(), freePort()])
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
  return { port, smtpPort, stop: () => maildev.stop() }
}
