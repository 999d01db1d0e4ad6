import { randomUUID } from 'node:crypto'
import { accountChanged } from '@nifty/events/auth'
import { withdrawalFinal } from '@nifty/events/minting'
import { orderAuthorised, orderLineCompleted, orderLineDisputed, orderPaymentFailed } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { account, line, publicUrl, startNotificationWithMails, store, until } from '../testing/notification.ts'

const { consume, mailsTo, db } = await startNotificationWithMails()

async function given() {
  const [ben, ada] = [account(), account()]
  for (const person of [ben, ada]) await consume(messageOf(accountChanged, person))
  return { ben, ada, sale: line(ben.userId, ada.userId) }
}

const image = '/uploads/nfts/0f0e.webp'
const orderOf = (buyerId: string, names: string[]) => ({
  orderId: 'fcfc512e-0000-4000-8000-000000000000'.replace(/0{12}$/, randomUUID().slice(-12)),
  buyerId,
  works: names.map((name, index) => ({
    lineId: randomUUID(),
    itemId: randomUUID(),
    token: `0x${'ab'.repeat(20)}/${index}`,
    name,
    image,
    priceCents: 12_050,
  })),
  totalCents: 12_050 * names.length,
  at: '2026-11-26T09:00:00.000Z',
})
const placed = {
  wallet: `0x${'0'.repeat(40)}`,
  custody: true as const,
  deliverBy: '2026-11-27T18:40:00.000Z',
  termsVersion: '2025-02-13',
}

const queuedFor = (recipient: string) =>
  db.selectFrom('mail').select('template').where('recipient', '=', recipient).execute()

test('an order is confirmed once, with its number, works, price, deadline, company, terms and how to cancel', async () => {
  const { ben } = await given()
  const order = orderOf(ben.userId, ['Dusk <b>', 'Dawn'])
  for (let time = 0; time < 2; time++) await consume(messageOf(orderAuthorised, { ...order, ...placed }))

  await until(() => mailsTo(ben.email).length === 1)

  const { subject, text, html } = mailsTo(ben.email)[0]!
  expect(subject).toBe('Your order FCFC512E')
  for (const part of [
    'FCFC512E',
    'Dusk <b>, 120.50\u00a0€',
    '241\u00a0€ is held on your card, not charged',
    'Held, not charged: 241\u00a0€',
    'Delivered by: 27 November 2026 at 18:40 UTC',
    'Our custody, for you',
    store.company.name,
    'Version 2025-02-13',
    '“Cancel the purchase”',
    `${publicUrl}/terms`,
    `${publicUrl}/contact?about=order:FCFC512E`,
  ])
    expect(text).toContain(part)
  expect(html).toContain(`src="${publicUrl}${image}?w=640"`)
  expect(html).toContain('Dusk &lt;b&gt;')
  expect(await queuedFor(ben.email)).toEqual([{ template: 'order-placed' }])
})

test('a failed payment has one mail with its reason; a reason of a newer release reads as declined', async () => {
  const { ben } = await given()
  const order = { ...orderOf(ben.userId, ['Dusk']), declined: 'insufficient_funds' }
  for (let time = 0; time < 2; time++) await consume(messageOf(orderPaymentFailed, order))
  await until(() => mailsTo(ben.email).length === 1)
  expect(mailsTo(ben.email)[0]!.subject).toBe('Your payment for “Dusk” failed')
  expect(mailsTo(ben.email)[0]!.text).toMatch(/does not have enough funds[\s\S]*nothing was charged/)
  expect(await queuedFor(ben.email)).toHaveLength(1)

  await consume(messageOf(orderPaymentFailed, { ...orderOf(ben.userId, ['Dawn']), declined: 'of_next_year' }))
  await until(() => mailsTo(ben.email).length === 2)
  expect(mailsTo(ben.email)[1]!.text).toContain('Your card was declined. Your bank does not tell us why')
})

test('a dispute and its end have one mail each to the buyer and the seller', async () => {
  const { ben, ada, sale } = await given()
  const stage = (stage: 'opened' | 'won') =>
    consume(messageOf(orderLineDisputed, { ...sale, reversalId: 'dp_1', stage }))
  for (let time = 0; time < 2; time++) await stage('opened')
  await until(() => mailsTo(ben.email).length === 1 && mailsTo(ada.email).length === 1)
  expect(mailsTo(ben.email)[0]!.text).toContain('it cannot be sold or moved to a wallet')
  expect(mailsTo(ada.email)[0]!.text).toContain('held back until the bank has decided')
  await stage('won')
  await until(() => mailsTo(ben.email).length === 2 && mailsTo(ada.email).length === 2)
  expect(mailsTo(ada.email)[1]!.text).toContain('no longer held back')
  expect(await queuedFor(ben.email)).toHaveLength(2)
})

test('a work that arrived in its owner’s wallet has one mail that names and shows it', async () => {
  const { ben } = await given()
  const event = {
    withdrawalId: randomUUID(),
    userId: ben.userId,
    token: `0x${'ab'.repeat(20)}/7`,
    name: 'Dusk',
    image,
    wallet: `0x${'Ab'.repeat(20)}`,
    txHash: `0x${'1'.repeat(64)}`,
    at: new Date().toISOString(),
  }
  for (let time = 0; time < 2; time++) await consume(messageOf(withdrawalFinal, event))
  await until(() => mailsTo(ben.email).length === 1)
  const [mail] = mailsTo(ben.email)
  expect(mail!.subject).toBe('“Dusk” is in your wallet')
  expect(mail!.text).toContain(event.wallet)
  expect(mail!.html).toContain('alt="“Dusk”"')
  expect(await queuedFor(ben.email)).toHaveLength(1)
})

test('a mail about a sale shows the work; without a picture, as of a former release, it is complete', async () => {
  const { ben, sale } = await given()
  const shares = { sellerCents: 1, commissionCents: 1, royaltyCents: 0, txHash: `0x${'1'.repeat(64)}` }
  await consume(messageOf(orderLineCompleted, { ...sale, ...shares, image }))
  await consume(messageOf(orderLineCompleted, { ...line(ben.userId, sale.sellerId), ...shares, image: undefined }))
  await until(() => mailsTo(ben.email).length === 2)
  const pages = mailsTo(ben.email).map(({ html }) => html!)
  expect(pages.filter((html) => html.includes(`src="${publicUrl}${image}?w=640"`))).toHaveLength(1)
  for (const html of pages) expect(html).toMatch(/Dusk &lt;over&gt; the harbour[\s\S]*Charged[\s\S]*See your order/)
})
