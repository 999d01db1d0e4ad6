import { withTls } from '@nifty/service-kit/base/smtp-url'
import { openDatabase } from '@nifty/service-kit/database/database'
import { createTestDatabase } from '@nifty/service-kit/testing/database'
import { testLog } from '@nifty/service-kit/testing/log'
import { type KyselyPlugin, sql } from 'kysely'
import nodemailer from 'nodemailer'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../db.ts'
import { notification } from '../service.ts'
import { mailTokenKeys, publicUrl, sealed, startMailServer, store } from '../testing/notification.ts'
import { type SmtpStep, startSmtpServer } from '../testing/smtp-server.ts'
import { insertMail, queueMail } from './mail.actions.ts'
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
const from = { name: 'Nifty, a store', address: 'hello@store.test' }
const sender = createSender({ db, smtpUrl, from, publicUrl, mailTokenKeys, log: testLog })
afterAll(async () => {
  await sender.stop()
  await server.stop()
  await pool.destroy()
})

beforeEach(async () => {
  await sql`truncate mail`.execute(pool)
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

/** The word for a token in mails that a former release queued. */
const formerWord = 'TOKEN-OF-THIS-LINK'

/** Sends one mail, and returns what was done for it. */
async function send(recipient: string) {
  const texts = { subject: 'New password', text: `Open ${formerWord}`, html: `<p>${formerWord}</p>` }
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

test('the words of a former release are filled in its mails', async () => {
  server.mails.splice(0)
  await send('ben@people.test')
  await vi.waitFor(() => expect(server.mails).toHaveLength(1))
  expect(server.mails[0]!.text).toContain('Open secret-token')
})

const slow = await startSmtpServer()
const slowUrl = `smtp://127.0.0.1:${slow.port}`
/** A sender of another process, which uses the scripted mail server. */
function startSender(changes: { smtpUrl?: string; publicUrl?: string } = {}) {
  const other = createSender({ db: pool, smtpUrl: slowUrl, from, publicUrl, mailTokenKeys, log: testLog, ...changes })
  onTestFinished(other.stop)
  return other
}
beforeEach(() => {
  slow.script.respond = () => undefined
  slow.mails.splice(0)
  slow.steps.splice(0)
})

async function queue(changes: { recipient?: string; expiresAt?: Date; subject?: string } = {}) {
  const mail = { template: 'sold', subjectId: 'line.2026-11-26T00:22:32.936Z', recipient: 'ben@people.test' }
  const texts = { replyTo: null, subject: 'A work was sold', text: 'It was sold.', html: null }
  await insertMail(pool, { ...mail, ...texts, ...changes })
}
const row = () => pool.selectFrom('mail').selectAll().executeTakeFirstOrThrow()
/** What the database does to a transaction whose client waits for another system for too long. */
const endIdleTransactions = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(pool)
const makeDue = () => sql`update mail set next_attempt_at = now()`.execute(pool)
const firstHeader = (mail: string, name: string) => mail.match(new RegExp(`^${name}: (.*)$`, 'im'))?.[1]?.trim()

test('a mail server that takes its time for a mail gets one copy, and no transaction is open meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  slow.script.respond = (step) => (step === 'TEXT' ? promise : undefined)
  await queue()
  const sending = startSender().sendOne()
  await vi.waitFor(() => expect(slow.mails).toHaveLength(1))

  expect(await row()).toMatchObject({ attempts: 1, claimedAt: expect.any(Date), sentAt: null })
  expect((await endIdleTransactions()).rows).toEqual([])
  const other = startSender()
  expect(await other.isMailDue()).toBe(false)
  await other.sendOne()
  resolve('250 accepted')
  await sending

  expect(await row()).toMatchObject({ attempts: 1, claimedAt: null, sentAt: expect.any(Date) })
  expect(await other.isMailDue()).toBe(false)
  expect(slow.mails).toHaveLength(1)
})

test('a process that ends with a mail leaves a copy with the same Message-ID, and not more than there are attempts', async () => {
  await queue()
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'the process ended'; end $$`.execute(
    pool,
  )
  await sql`create trigger refuse before update of sent_at on mail for each row execute function refuse()`.execute(pool)
  const other = startSender()
  for (let copies = 0; copies < 2; copies++) {
    await expect(other.sendOne()).rejects.toThrow('the process ended')
    expect(await other.isMailDue()).toBe(false)
    await makeDue()
  }
  await sql`drop function refuse cascade`.execute(pool)

  expect(slow.mails).toHaveLength(2)
  expect(new Set(slow.mails.map((mail) => firstHeader(mail, 'Message-ID'))).size).toBe(1)
  await sql`update mail set attempts = 20`.execute(pool)
  await other.sendOne()
  expect(await row()).toMatchObject({ failure: 'attempts', failedAt: expect.any(Date) })
  expect(slow.mails).toHaveLength(2)
})

test.each<[SmtpStep, string]>([
  ['RCPT', '550 5.1.1 <ben@people.test> unknown'],
  ['DATA', '554 no'],
  ['TEXT', '552 5.2.2 mailbox full'],
])('a mail whose %s is refused with %s is not sent again', async (step, reply) => {
  slow.script.respond = (each) => (each === step ? reply : undefined)
  await queue()
  const other = startSender()
  await other.sendOne()
  expect(await row()).toMatchObject({ attempts: 1, failure: 'refused', failedAt: expect.any(Date) })
  expect((await row()).error).toContain(reply.slice(0, 9))
  expect((await row()).error).not.toContain('ben@people.test')
  await makeDue()
  expect(await other.isMailDue()).toBe(false)
})

test.each<[SmtpStep, string | null]>([
  ['RCPT', '451 4.7.1 greylisted'],
  ['RCPT', null],
  ['TEXT', '451 4.3.0 try again'],
  ['TEXT', null],
  ['MAIL', '550 5.7.1 sender not allowed'],
  ['RCPT', '550 5.7.1 relaying denied'],
  ['RCPT', '550-5.1.8 of the sender\r\n550 5.1.8 does not exist'],
  ['DATA', '554 5.4.5 quota exceeded'],
  ['TEXT', '554 5.7.0 blocked'],
  ['GREETING', '554 5.3.2 no service'],
])('a mail whose %s is answered with %s is retried', async (step, reply) => {
  slow.script.respond = (each) => (each === step ? reply : undefined)
  await queue()
  const other = startSender()
  await other.sendOne()
  expect(await row()).toMatchObject({ attempts: 1, failure: null, failedAt: null, sentAt: null, claimedAt: null })
  slow.script.respond = () => undefined
  await makeDue()
  await other.sendOne()
  expect(await row()).toMatchObject({ attempts: 2, sentAt: expect.any(Date), error: null })
})

test('a mail whose link has expired is not sent', async () => {
  await queue({ expiresAt: new Date(Date.now() - 1_000) })
  await startSender().sendOne()
  expect(await row()).toMatchObject({ failure: 'expired', failedAt: expect.any(Date), sentAt: null })
  expect(slow.steps).toEqual([])
})

test('outside local hosts nothing is sent to a mail server without TLS, whatever its address says', async () => {
  await queue()
  // Another name of this machine, which counts as a foreign one.
  await startSender({ smtpUrl: withTls(`smtp://0.0.0.0:${slow.port}/?requireTLS=false&ignoreTLS=true`) }).sendOne()
  expect(await row()).toMatchObject({ attempts: 1, sentAt: null, failedAt: null })
  expect(slow.steps).not.toContain('MAIL')
  await makeDue()
  await startSender({ smtpUrl: withTls(slowUrl) }).sendOne()
  expect(await row()).toMatchObject({ sentAt: expect.any(Date) })
})

const ATEXT = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const DOT_ATOM = `${ATEXT}(\\.${ATEXT})*`

test('every header follows its grammar, whatever the texts are', async () => {
  const subject = 'A new work: “Dusk, <over> the harbour\r\nBcc: eve@people.test”'
  await pool.transaction().execute((trx) =>
    queueMail(trx, {
      store,
      template: 'notice-listed',
      subjectId: 'account.item.2026-11-26T00:22:32.936Z',
      recipient: 'ben+nifty@people.test',
      unsubscribe: { list: 'follow', id: 'd3ea7c40-151c-497c-be4d-fd9114883227' },
      content: { subject, paragraphs: ['New.'] },
    }),
  )
  await startSender({ publicUrl: 'https://nifty.example.com' }).sendOne()
  const [head] = slow.mails[0]!.split('\r\n\r\n', 1)
  const lines = head!.split('\r\n')

  const id = firstHeader(head!, 'Message-ID')!
  expect(id).toMatch(new RegExp(`^<${DOT_ATOM}@${DOT_ATOM}>$`))
  expect(id.length).toBeLessThan(60)
  expect(lines.every((line) => line.length <= 998 && /^[\t\x20-\x7e]*$/.test(line))).toBe(true)
  expect(lines.filter((line) => !/^[!-9;-~]+: ?\S|^[ \t]+\S/.test(line))).toEqual([])
  expect(firstHeader(head!, 'From')).toBe('"Nifty, a store" <hello@store.test>')
  expect(firstHeader(head!, 'To')).toBe('ben+nifty@people.test')
  expect(firstHeader(head!, 'Bcc')).toBeUndefined()
  const names = lines.filter((line) => /^\S/.test(line)).map((line) => line.split(':')[0]!.toLowerCase())
  expect(new Set(names).size).toBe(names.length)
})
