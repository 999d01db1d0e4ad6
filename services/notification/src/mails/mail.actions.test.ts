import { randomUUID } from 'node:crypto'
import { findMails, repeatMail } from '@nifty/api/notification/mails'
import { accountChanged, passwordResetRequested } from '@nifty/events/auth'
import { orderLineCompleted } from '@nifty/events/payments'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { account, headerOf, line, sealed, startNotificationWithMails, until } from '../testing/notification.ts'
import { eraseOldMails } from './retention.ts'

const { db, consume, internal, mailsTo } = await startNotificationWithMails()

const find = async (body: { ids?: string[]; email?: string }) => (await internal(findMails, { body })).mails
const repeat = (mailId: string, newMailId = randomUUID()) =>
  internal(repeatMail, { body: { mailId, newMailId, reason: 'asked for it' } })
const given = async () => {
  const person = account()
  await consume(messageOf(accountChanged, person))
  return person
}

/** A completed sale whose mails were sent. */
async function givenSale() {
  const [buyer, seller] = [await given(), await given()]
  const sale = line(buyer.userId, seller.userId)
  const amounts = { sellerCents: 10_845, commissionCents: 1_205, royaltyCents: 0 }
  await consume(messageOf(orderLineCompleted, { ...sale, ...amounts, txHash: `0x${'1'.repeat(64)}` }))
  await expect.poll(async () => (await find({ ids: [sale.lineId] })).filter(({ sentAt }) => sentAt)).toHaveLength(2)
  return { buyer, seller, sale }
}

test('the mails about a line, and to an account or an address, are found with their state', async () => {
  const { buyer, seller, sale } = await givenSale()
  await given()

  const ofLine = await find({ ids: [sale.lineId] })

  expect(ofLine.map(({ recipient }) => recipient).sort()).toEqual([buyer.email, seller.email].sort())
  expect(ofLine[0]).toMatchObject({ sentAt: expect.any(String), failedAt: null, repeat: 'copy' })
  expect((await find({ ids: [buyer.userId] })).map(({ recipient }) => recipient)).toEqual([buyer.email])
  expect((await find({ email: seller.email })).map(({ recipient }) => recipient)).toEqual([seller.email])
  expect(await find({ ids: [sale.lineId.slice(0, -1)] })).toEqual([])
  expect(await find({})).toEqual([])
})

test('a sent mail is sent again once, with the same content and links that work', async () => {
  const { buyer, seller, sale } = await givenSale()
  const mails = await find({ ids: [sale.lineId] })
  const toSeller = mails.find(({ recipient }) => recipient === seller.email)!
  const toBuyer = mails.find(({ recipient }) => recipient === buyer.email)!

  const newMailId = randomUUID()
  await repeat(toSeller._id, newMailId)
  expect(await repeat(toSeller._id, newMailId)).toMatchObject({ _id: newMailId, recipient: seller.email })
  await repeat(toBuyer._id)
  await until(() => mailsTo(seller.email).length === 2 && mailsTo(buyer.email).length === 2)

  const [first, second] = mailsTo(seller.email)
  expect(second).toMatchObject({ subject: first!.subject, text: first!.text, html: first!.html })
  expect(await headerOf(second!, 'Message-ID')).not.toBe(await headerOf(first!, 'Message-ID'))
  expect(second!.text).toContain('/unsubscribe')
  expect(second!.text).not.toMatch(/TOKEN-|unsubscribe-[0-9a-f]{8}-/)
  expect(await find({ ids: [sale.lineId] })).toHaveLength(4)
  expect(await listOperatorActions(db, [sale.lineId])).toHaveLength(2)
})

test('a mail that was given up is attempted again; one with a token, an erased or a waiting one is refused', async () => {
  const { buyer, sale } = await givenSale()
  const [mail] = (await find({ ids: [sale.lineId] })).filter(({ recipient }) => recipient === buyer.email)
  await consume(messageOf(passwordResetRequested, { ...buyer, token: sealed('secret') }))
  await expect.poll(async () => (await find({ email: buyer.email })).filter(({ sentAt }) => sentAt)).toHaveLength(2)
  const reset = (await find({ email: buyer.email })).find(({ template }) => template === 'password-reset')!
  expect(reset.repeat).toBe('no')
  await expect(repeat(reset._id)).rejects.toMatchObject({ code: 'mail_not_repeatable' })
  await expect(repeat(randomUUID())).rejects.toMatchObject({ code: 'mail_not_found' })

  const set = (change: ReturnType<typeof sql>) => sql`update mail set ${change} where id = ${mail!._id}`.execute(db)
  await set(sql`sent_at = null, next_attempt_at = now() + interval '1 hour'`)
  await expect(repeat(mail!._id)).rejects.toMatchObject({ code: 'mail_waiting' })
  await set(sql`failed_at = now(), failure = 'attempts', attempts = 20, text = 'as before', error = 'no route'`)
  expect(await repeat(mail!._id)).toMatchObject({ _id: mail!._id, failedAt: null, error: null })
  await until(() => mailsTo(buyer.email).some(({ text }) => text.startsWith('as before')))

  await set(sql`sent_at = now() - interval '31 days'`)
  await eraseOldMails(db)
  await expect(repeat(mail!._id)).rejects.toMatchObject({ code: 'mail_not_repeatable' })
  const { content } = await db
    .selectFrom('mail')
    .select('content')
    .where('id', '=', mail!._id)
    .executeTakeFirstOrThrow()
  expect(content).toBeNull()
})
