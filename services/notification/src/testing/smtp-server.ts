import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { atEnd } from '@nifty/dev-servers/at-end'

/** A command of a client; `TEXT` is the text of a mail after `DATA`. */
export type SmtpStep = 'GREETING' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'TEXT' | 'RSET' | 'QUIT'

const replies: Record<SmtpStep, string> = {
  GREETING: '220 mail.test',
  EHLO: '250 mail.test',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  TEXT: '250 accepted',
  RSET: '250 ok',
  QUIT: '221 bye',
}

/** Another response to a command, at once or later; null closes the connection. */
export type Respond = (step: SmtpStep) => string | null | undefined | Promise<string | null | undefined>

/** A mail server without TLS for all tests of a file, which responds as `script.respond` says. */
export async function startSmtpServer() {
  const script: { respond: Respond } = { respond: () => undefined }
  const steps: SmtpStep[] = []
  const mails: string[] = []
  const sockets = new Set<Socket>()

  const server = createServer(async (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    const answer = async (step: SmtpStep) => {
      steps.push(step)
      const reply = await script.respond(step)
      if (reply === null) socket.destroy()
      else socket.write(`${reply ?? replies[step]}\r\n`)
      return reply ?? replies[step]
    }
    await answer('GREETING')
    let text: string[] | undefined
    for await (const line of createInterface({ input: socket })) {
      if (text && line !== '.') text.push(line)
      else if (text) {
        mails.push(text.join('\r\n'))
        text = undefined
        await answer('TEXT')
      } else {
        const step = line.slice(0, 4).toUpperCase() as SmtpStep
        const reply = await answer(step)
        if (step === 'DATA' && reply?.startsWith('354')) text = []
      }
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as { port: number }).port, script, steps, mails }
}
