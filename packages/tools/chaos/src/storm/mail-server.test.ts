import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd } from '@nifty/dev-servers/at-end'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import nodemailer from 'nodemailer'
import { expect, test, vi } from 'vitest'
import { createFolder } from './folder.ts'
import { openJournal } from './journal.ts'
import { mailFaultNames } from './mail/faults.ts'
import { isFinal, readMailRecord } from './mail/record.ts'
import { startMailServer } from './mail-server.ts'

const replies: Record<string, string> = { DATA: '354 go on', QUIT: '221 bye' }

/** A mail server that takes everything. Returns its address and the texts that it took. */
async function startTarget() {
  const taken: string[] = []
  const server = createServer(async (socket) => {
    socket.on('error', () => {})
    socket.write('220 mail.test\r\n')
    let text: string[] | undefined
    for await (const line of createInterface({ input: socket })) {
      if (text && line !== '.') text.push(line)
      else {
        if (text) taken.push(text.join('\n'))
        const command = text ? 'TEXT' : line.slice(0, 4).toUpperCase()
        text = command === 'DATA' ? [] : undefined
        socket.write(`${replies[command] ?? '250 ok'}\r\n`)
      }
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => void server.close())
  return { taken, target: `smtp://127.0.0.1:${(server.address() as { port: number }).port}` }
}

async function start() {
  const folder = await temporaryFolder('storm')
  const files = createFolder(folder)
  const { taken, target } = await startTarget()
  const url = await startMailServer({ target, folder, seed: '1', slowMs: 100 })
  const send = async (messageId: string, to = `${messageId}@people.test`) => {
    const transport = nodemailer.createTransport({ url, socketTimeout: 1_000, greetingTimeout: 500 })
    try {
      return await transport.sendMail({
        from: 'shop@nifty.test',
        to,
        subject: 'A sale',
        text: 'ü',
        messageId: `<${messageId}>`,
      })
    } finally {
      transport.close()
    }
  }
  return { files, taken, send, journal: openJournal(files.journal) }
}

test('without faults every mail is passed on as it is', async () => {
  const { taken, send, files, journal } = await start()
  journal.write({ actor: 'storm', what: 'schedule' })
  expect((await send('one')).response).toBe('250 ok')
  expect(taken).toHaveLength(1)
  expect(taken[0]).toContain('Message-ID: <one>')
  expect(readMailRecord(files.journal).faults).toEqual([])
})

test('every fault has its turn, a refusal for good is marked, and a silent server ends its silence', async () => {
  const { taken, send, files } = await start()
  writeFileSync(files.active, '')
  const errors: string[] = []
  const sent: string[] = []
  const waiting: Promise<unknown>[] = []
  const injected = () => new Set(readMailRecord(files.journal).faults.map(({ fault }) => fault))
  await send('first').catch(() => {})
  for (let count = 0; injected().size < mailFaultNames.length && count < 100; count++) {
    const id = `mail-${count}`
    const outcome = send(id).then(
      () => sent.push(id),
      ({ response = '' }) => errors.push(response),
    )
    waiting.push(outcome)
    // A silent one is not waited for.
    await Promise.race([outcome, sleep(300)])
  }
  await Promise.all(waiting)

  const isOver = () => readMailRecord(files.journal).faults.every(({ to }) => to !== undefined)
  await vi.waitFor(() => expect(isOver()).toBe(true))
  const record = readMailRecord(files.journal)
  expect([...injected()].toSorted()).toEqual(mailFaultNames.toSorted())
  for (const id of sent) expect(taken.filter((text) => text.includes(`<${id}>`))).toHaveLength(1)
  expect(taken.length).toBe(sent.length + 1)
  expect(
    errors
      .filter((error) => isFinal(record, error))
      .map((error) => error.slice(0, 3))
      .toSorted(),
  ).toEqual(['550', '552', '554'])
})

test('a recipient meets at most two faults in a minute', async () => {
  const { send, files } = await start()
  writeFileSync(files.active, '')
  await send('first').catch(() => {})
  for (let count = 0; count < 20; count++) await send(`mail-${count}`, 'ben@people.test').catch(() => {})
  const names = readMailRecord(files.journal).faults.map(({ fault }) => fault)
  expect(new Set(names.slice(1)).size).toBeLessThanOrEqual(2)
})
