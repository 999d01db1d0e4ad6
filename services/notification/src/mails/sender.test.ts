import { openDatabase } from '@nifty/service-kit/database/database'
import { createTestDatabase } from '@nifty/service-kit/testing/database'
import { testLog } from '@nifty/service-kit/testing/log'
import type { KyselyPlugin } from 'kysely'
import nodemailer from 'nodemailer'
import { afterAll, expect, test, vi } from 'vitest'
import type { Database } from '../db.ts'
import { notification } from '../service.ts'
import { mailTokenKey, publicUrl, sealed, startMailServer } from '../testing/notification.ts'
import { TOKEN_PLACEHOLDER } from './email-layout.ts'
import { insertMail } from './mail.actions.ts'
import { createSender } from './sender.ts'

const server = await startMailServer()
const { url } = await createTestDatabase(notification.migrations)
const statements: string[] = []
/** Records the kind of each statement. */
const recorder: KyselyPlugin = {
  transformQuery: ({ node }) => {
    statements.push(node.kind)
    return node
  },
  transformResult: async ({ result }) => result,
}
const pool = openDatabase<Database>({ url, log: testLog })
const db = pool.withPlugin(recorder)
const smtpUrl = `smtp://127.0.0.1:${server.smtp.getPort()}`
const sender = createSender({ db, smtpUrl, from: 'Nifty <hello@store.test>', publicUrl, mailTokenKey, log: testLog })
afterAll(async () => {
  await sender.stop()
  await server.stop()
  await pool.destroy()
})

const composed = vi.fn()
const createTransport = nodemailer.createTransport as (options: object) => ReturnType<typeof nodemailer.createTransport>
vi.spyOn(nodemailer, 'createTransport').mockImplementation(((options: object) => {
  const transport = createTransport(options)
  transport.use('compile', ({ message }: { message: { toString(): string } }, done: () => void) => {
    composed(message)
    done()
  })
  return transport
}) as never)

/** Sends one mail, and returns what was done for it. */
async function send(recipient: string) {
  const texts = { subject: 'New password', text: `Open ${TOKEN_PLACEHOLDER}`, html: `<p>${TOKEN_PLACEHOLDER}</p>` }
  await insertMail(pool, {
    ...texts,
    template: 'reset',
    subjectId: recipient || 'nobody',
    recipient,
    replyTo: null,
    sealedToken: sealed('secret-token'),
  })
  statements.length = 0
  composed.mockClear()
  await sender.sendOne()
  return { statements: [...statements], composed: composed.mock.calls.length }
}

test('a mail to nobody is composed like one to an account, in as many statements, and reaches no server', async () => {
  const toAda = await send('ada@people.test')
  const toNobody = await send('')
  await vi.waitFor(() => expect(server.mails).toHaveLength(1))

  expect(toNobody.composed).toBe(1)
  expect(toNobody.composed).toBe(toAda.composed)
  expect(toNobody.statements).toHaveLength(toAda.statements.length)
  expect(server.mails.map(({ to }) => to[0]!.address)).toEqual(['ada@people.test'])
  expect(await pool.selectFrom('mail').select('recipient').execute()).toEqual([{ recipient: 'ada@people.test' }])
})
