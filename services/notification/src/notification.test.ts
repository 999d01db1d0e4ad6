import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import {
  accountChanged,
  accountDeleted,
  emailConfirmationRequested,
  passwordResetRequested,
  signUpRepeated,
} from '@nifty/events/auth'
import { orderLineAuthorised, orderLineCompleted, orderLineReleased } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { eraseDeletedRecipients } from './recipients/recipient.store.ts'
import {
  account,
  line,
  publicUrl,
  sealed,
  startMailServer,
  startTestNotification,
  until,
} from './testing/notification.ts'

const server = await startMailServer()
const { db, consume, post, stop } = await startTestNotification(`smtp://127.0.0.1:${server.smtp.getPort()}`)
afterAll(async () => {
  await stop()
  await server.stop()
})
beforeEach(() => void server.mails.splice(0))

const mailTo = (address: string) =>
  server.mails.filter(({ to }) => to.some((recipient) => recipient.address === address))
const given = async (person: ReturnType<typeof account>) => {
  await consume(messageOf(accountChanged, person))
  return person
}
const txHash = `0x${'1'.repeat(64)}`

test('the confirmation mail contains the link to /accept, as text and as HTML', async () => {
  const ada = account({ firstName: 'claim it at https://evil.tld' })
  await consume(messageOf(emailConfirmationRequested, { ...ada, token: sealed('tok/en'), purpose: 'sign_up' }))
  await until(() => mailTo(ada.email).length === 1)
  const [mail] = mailTo(ada.email)
  expect(mail!.text).toContain(`${publicUrl}/accept?token=tok%2Fen`)
  expect(mail!.html).toContain(`${publicUrl}/accept?token=tok%2Fen`)
  expect(mail!.text + mail!.html).not.toContain('evil.tld')
})

test('a duplicate event sends one mail, and the text of a sent mail is erased', async () => {
  const ada = account()
  const message = messageOf(passwordResetRequested, { ...ada, token: sealed('secret-token') })
  await consume(message)
  await consume(message)
  await consume(messageOf(passwordResetRequested, { ...ada, token: sealed('secret-token') }))
  const stored = JSON.stringify(await db.selectFrom('mail').selectAll().execute())
  expect(stored).not.toContain('secret-token')
  await until(() => mailTo(ada.email).length > 0)
  await until(() => mailTo(ada.email)[0]!.text.includes('/reset-password/secret-token'))
  const rows = () =>
    db.selectFrom('mail').select(['text', 'html', 'sealedToken', 'sentAt']).where('recipient', '=', ada.email).execute()
  // The mail server has the mail before the row is marked as sent.
  await expect.poll(rows).toEqual([{ text: null, html: null, sealedToken: null, sentAt: expect.any(Date) }])
})

test('repeated sign-ups send one mail a day', async () => {
  const ada = account()
  await consume(messageOf(signUpRepeated, ada))
  await consume(messageOf(signUpRepeated, { ...ada, at: new Date(Date.parse(ada.at) + 1).toISOString() }))
  await until(() => mailTo(ada.email).length === 1)
  expect(await db.selectFrom('mail').select('id').where('recipient', '=', ada.email).execute()).toHaveLength(1)
})

test('a completed line sends a mail to the buyer and to the seller', async () => {
  const [ben, ada] = [await given(account()), await given(account())]
  const sale = line(ben.userId, ada.userId)
  await consume(
    messageOf(orderLineCompleted, { ...sale, sellerCents: 10_845, commissionCents: 1_205, royaltyCents: 0, txHash }),
  )
  await until(() => mailTo(ben.email).length === 1 && mailTo(ada.email).length === 1)
  expect(mailTo(ben.email)[0]!.text).toMatch(/Only now was your card charged[\s\S]*120\.50\u00a0€[\s\S]*0x111/)
  expect(mailTo(ben.email)[0]!.html).toContain('Dusk &lt;over&gt; the harbour')
  expect(mailTo(ada.email)[0]!.text).toContain('108.45\u00a0€')
})

test('a seller who opted out of messages gets no mail, the buyer always does', async () => {
  const ben = await given(account())
  const quiet = account()
  await given({ ...quiet, notifications: { ...quiet.notifications, message: false } })
  const sale = line(ben.userId, quiet.userId)
  await consume(messageOf(orderLineCompleted, { ...sale, sellerCents: 1, commissionCents: 1, royaltyCents: 0, txHash }))
  await until(() => mailTo(ben.email).length === 1)
  expect(await db.selectFrom('mail').select('id').where('recipient', '=', quiet.email).execute()).toEqual([])
})

test('a released hold sends a mail that begins with "Nothing was charged."; a release without a hold sends none', async () => {
  const ben = await given(account())
  const sale = line(ben.userId, randomUUID())
  await consume(
    messageOf(orderLineReleased, { ...line(ben.userId, randomUUID()), reason: 'expired', moneyWasHeld: false }),
  )
  await consume(messageOf(orderLineReleased, { ...sale, reason: 'undeliverable', moneyWasHeld: true }))
  await until(() => mailTo(ben.email).length === 1)
  const [mail] = mailTo(ben.email)
  expect(mail!.text.split('\n\n')[1]).toBe('Nothing was charged.')
  expect(mail!.text).not.toContain('your wallet')
})

test('a sale event that arrives before the account of its buyer is retried', async () => {
  const ben = account()
  await consume(
    messageOf(orderLineCompleted, {
      ...line(ben.userId, randomUUID()),
      sellerCents: 1,
      commissionCents: 1,
      royaltyCents: 0,
      txHash,
    }),
  )
  expect(mailTo(ben.email)).toEqual([])
  await given(ben)
  await until(() => mailTo(ben.email).length === 1)
})

test('an older version of an account changes nothing', async () => {
  const ben = await given(account({ version: 3 }))
  await given({ ...ben, version: 2, email: 'old@people.test' })
  const recipient = await db.selectFrom('recipient').selectAll().where('userId', '=', ben.userId).executeTakeFirst()
  expect(recipient).toMatchObject({ version: 3, email: ben.email })
})

const recipientOf = (userId: string) =>
  db.selectFrom('recipient').select('userId').where('userId', '=', userId).executeTakeFirst()

test('a deleted account with a card hold gets the mail about the outcome, and is erased an hour later', async () => {
  const ben = await given(account())
  const sale = line(ben.userId, randomUUID())
  await consume(messageOf(orderLineAuthorised, { ...sale, wallet: `0x${'ab'.repeat(20)}`, deliverBy: sale.at }))
  await consume(messageOf(accountDeleted, ben))
  await sql`update recipient set deleted_at = now() - interval '2 hours' where user_id = ${ben.userId}`.execute(db)
  await eraseDeletedRecipients(db)
  expect(await recipientOf(ben.userId)).toBeDefined()
  await consume(messageOf(orderLineReleased, { ...sale, reason: 'undeliverable', moneyWasHeld: true }))
  await until(() => mailTo(ben.email).length === 2)
  await eraseDeletedRecipients(db)
  expect(await recipientOf(ben.userId)).toBeUndefined()
})

test('a line of a deleted account whose events arrive after the deletion still sends its mail', async () => {
  const ben = await given(account())
  const sale = line(ben.userId, randomUUID())
  await consume(messageOf(accountDeleted, ben))
  await eraseDeletedRecipients(db)
  await consume(messageOf(orderLineAuthorised, { ...sale, wallet: `0x${'ab'.repeat(20)}`, deliverBy: sale.at }))
  await consume(messageOf(orderLineCompleted, { ...sale, sellerCents: 1, commissionCents: 1, royaltyCents: 0, txHash }))
  await until(() => mailTo(ben.email).some(({ subject }) => subject.includes('has arrived')))
})

test('a subscription sends one confirmation mail, and its link confirms', async () => {
  const email = `${randomUUID()}@people.test`
  expect((await post('/api/subscribe', { email })).statusCode).toBe(200)
  expect((await post('/api/subscribe', { email: email.toUpperCase() })).json()).toMatchObject({ success: true })
  await until(() => mailTo(email).length === 1)
  const token = mailTo(email)[0]!.text.match(/newsletter=([\w-]+)/)![1]!
  expect((await post('/api/subscribe/confirm', { token: 'wrong' })).statusCode).toBe(400)
  expect((await post('/api/subscribe/confirm', { token })).statusCode).toBe(200)
  expect((await post('/api/subscribe/confirm', { token })).statusCode).toBe(200)
  expect(await db.selectFrom('mail').select('id').where('recipient', '=', email).execute()).toHaveLength(1)
})

test('a subscription is one in both spellings of the domain of its address', async () => {
  const name = randomUUID()
  for (const domain of ['bücher.test', 'xn--bcher-kva.test'])
    expect((await post('/api/subscribe', { email: `${name}@${domain}` })).statusCode).toBe(200)
  const stored = await db.selectFrom('subscriber').select('email').where('email', 'like', `${name}@%`).execute()
  expect(stored).toEqual([{ email: `${name}@xn--bcher-kva.test` }])
})

test.each([
  ['no address', {}],
  ['a list', { email: 'a@b.test,c@d.test' }],
  ['a quoted local part', { email: '"a b"@c.test' }],
  ['a name in front', { email: 'Ann <a@b.test>' }],
  ['a line break', { email: 'a@b.test\r\nBcc: x@y.test' }],
  ['an array', { email: ['a@b.test'] }],
  ['too much', { email: `${'a'.repeat(250)}@b.test` }],
])('subscribing with %s is a 400 with a message', async (_what, body) => {
  const response = await post('/api/subscribe', body)
  expect(response.statusCode).toBe(400)
  expect(response.json().success).toBe(false)
})

test('a contact message is mailed from MAIL_FROM to OPERATOR_EMAIL as text, with the visitor as Reply-To only', async () => {
  const form = { name: 'Eve', email: 'eve@people.test', subject: 'A <b>question</b>', message: 'Line one\nLine two' }
  const response = await post('/api/contact', form)
  expect(response.json()).toMatchObject({ success: true, message: expect.any(String) })
  await until(() => mailTo('operator@store.test').length === 1)
  const [mail] = mailTo('operator@store.test')
  const raw = await text(await server.smtp.getRawEmail(mail!.id))
  expect(raw).toMatch(/^Reply-To: eve@people\.test\r?$/m)
  expect(raw).toMatch(/^From: Nifty <hello@store\.test>\r?$/m)
  expect(mail!.text).toContain('Line one\nLine two')
  expect(mail!.html || undefined).toBeUndefined()
})

test.each(['name', 'subject', 'email'])('a mail header injected by the %s is refused', async (field) => {
  const form = { name: 'Eve', email: 'eve@people.test', subject: 'Hi', message: 'Hello', [field]: 'x\r\nBcc: y@z.test' }
  expect((await post('/api/contact', form)).statusCode).toBe(400)
})

test('a mail that the server refuses is retried', async () => {
  const unreachable = await startTestNotification('smtp://127.0.0.1:1')
  await unreachable.post('/api/contact', { name: 'Eve', email: 'eve@people.test', subject: 'Hi', message: 'Hello' })
  await expect
    .poll(() => unreachable.db.selectFrom('mail').select(['attempts', 'sentAt', 'claimedAt']).executeTakeFirst(), {
      timeout: 30_000,
    })
    .toMatchObject({ attempts: 1, sentAt: null, claimedAt: null })
  await unreachable.stop()
})
