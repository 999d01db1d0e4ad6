import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from './free-port.ts'
import { mailboxUrls, startMailbox } from './mailbox.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The conversation of RFC 5321, one command after each reply. */
async function send(smtpUrl: string, subject: string) {
  const { hostname, port } = new URL(smtpUrl)
  const socket = connect(Number(port), hostname)
  const commands = [
    'HELO shop.example',
    'MAIL FROM:<shop@nifty.example>',
    'RCPT TO:<buyer@nifty.example>',
    'DATA',
    `Subject: ${subject}\r\nTo: buyer@nifty.example\r\n\r\nText\r\n.`,
    'QUIT',
  ]
  for (const command of commands) {
    await once(socket, 'data')
    socket.write(`${command}\r\n`)
  }
  await once(socket, 'close')
}

async function subjectsIn(mailboxUrl: string) {
  const mails = (await (await fetch(`${mailboxUrl}/api/email`)).json()) as { subject: string }[]
  return mails.map(({ subject }) => subject)
}

test('the mailbox accepts the first mail at once, shows it, and keeps it across a restart', async () => {
  const folder = await temporaryFolder('mailbox')
  const ports = { port: await freePort(), smtpPort: await freePort() }
  const { mailboxUrl, smtpUrl } = mailboxUrls(ports)
  const first = await startMailbox({ ...ports, folder })

  await send(smtpUrl, 'First')
  await vi.waitFor(async () => expect(await subjectsIn(mailboxUrl)).toEqual(['First']), { timeout: 30_000 })
  await first.stop()

  const second = await startMailbox({ ...ports, folder })
  onTestFinished(second.stop)
  await vi.waitFor(async () => expect(await subjectsIn(mailboxUrl)).toEqual(['First']), { timeout: 30_000 })
  const page = await fetch(mailboxUrl, { headers: { accept: 'text/html' } })
  expect(await page.text()).toContain('<html')
})
