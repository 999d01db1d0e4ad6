import nodemailer from 'nodemailer'
import { afterAll, expect, test } from 'vitest'
import { startDiscardServer } from './discard-server.ts'

const server = await startDiscardServer()
const smtp = nodemailer.createTransport({ url: server.url, pool: true, maxConnections: 1 })
afterAll(async () => {
  smtp.close()
  await server.stop()
})

test.each([
  ['short', 'one line'],
  ['long', 'a line of a long mail\r\n'.repeat(20_000)],
  ['one with lines of dots', '.\r\n..\r\n.\r\nDATA\r\n.'],
  ['empty', ''],
])('%s mails are accepted one after the other', async (_which, text) => {
  const mail = { from: 'store@nifty.example', to: 'ada@people.example', subject: 'Hello', text }
  for (let time = 0; time < 3; time++) expect((await smtp.sendMail(mail)).response).toBe('250 OK')
})
