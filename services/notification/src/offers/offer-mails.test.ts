import { randomUUID } from 'node:crypto'
import { accountChanged, accountDeleted } from '@nifty/events/auth'
import { bidEnded, offerReceived } from '@nifty/events/catalog'
import { bidHeld, bidReleased, orderAuthorised } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { account, headerOf, publicUrl, startNotificationWithMails, until } from '../testing/notification.ts'

const { app, consume, db, mailsTo, peers } = await startNotificationWithMails()

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

async function given(flags: object = {}) {
  const [ben, ada] = [account(), account()]
  const owner = { ...ada, notifications: { ...ada.notifications, ...flags } }
  for (const person of [ben, owner]) await consume(messageOf(accountChanged, person))
  const offer = {
    orderId: randomUUID(),
    itemId: randomUUID(),
    contract: `0x${'ab'.repeat(20)}`,
    identifier: '7',
    name: 'Dusk <over> the harbour',
    image: '/uploads/nfts/dusk.webp',
    priceCents: 12_050,
    buyerId: ben.userId,
    ownerId: ada.userId,
    at: new Date().toISOString(),
  }
  return { ben, ada: owner, offer, received: { ...offer, endsAt: inDays(3) } }
}
const lost = (offer: object, why: string, wasHeld = true) =>
  messageOf(bidEnded, { ...offer, kind: 'offer', outcome: 'lost', why, wasHeld, at: inDays(1) } as never)
const won = (offer: object) =>
  messageOf(bidEnded, { ...offer, kind: 'offer', outcome: 'won', wasHeld: true, at: inDays(1) } as never)

function orderOf({ orderId, itemId, contract, identifier, name, image, priceCents, buyerId }: Offered) {
  const token = `${contract}/${identifier}`
  return {
    orderId,
    buyerId,
    works: [{ lineId: randomUUID(), itemId, token, name, image, priceCents }],
    totalCents: priceCents,
    wallet: `0x${'1'.repeat(40)}`,
    kind: 'offer' as const,
    deliverBy: inDays(1),
    termsVersion: '2025-02-13',
    at: inDays(0),
  }
}
type Offered = Awaited<ReturnType<typeof given>>['offer']

const queuedFor = async ({ email }: { email: string }) =>
  (await db.selectFrom('mail').select('template').where('recipient', '=', email).execute()).map((mail) => mail.template)
const noticesOf = async ({ userId }: { userId: string }) =>
  (await app.inject({ url: '/api/notices', headers: peers.steppedUp(userId) })).json().notices

test('an offer that the owner received is a notice and one mail with price, end and one-click headers', async () => {
  const { ada, ben, received } = await given()

  for (let time = 0; time < 2; time++) await consume(messageOf(offerReceived, received))

  await until(() => mailsTo(ada.email).length === 1)
  const [mail] = mailsTo(ada.email)
  expect(mail!.subject).toBe('An offer of 120.50\u00a0€ for “Dusk <over> the harbour”')
  expect(mail!.text).toMatch(/bank holds the money already[\s\S]*Open until: .* UTC/)
  expect(mail!.text).toContain(`${publicUrl}/studio`)
  expect(mail!.html).toContain('Dusk &lt;over&gt; the harbour')
  expect(mail!.html).toContain(`${publicUrl}/uploads/nfts/dusk.webp?w=640`)
  const [, token] = /\/unsubscribe#(\S+)/.exec(mail!.text)!
  expect(await headerOf(mail!, 'List-Unsubscribe')).toContain(token)
  expect(await queuedFor(ada)).toEqual(['offer-received'])
  expect(await noticesOf(ada)).toMatchObject([{ what: 'offer_received', price: 120.5, read: false }])
  expect(await noticesOf(ben)).toEqual([])
})

test('two offers for one work are two notices for its owner', async () => {
  const { ada, received } = await given()
  const higher = { ...received, orderId: randomUUID(), buyerId: randomUUID(), priceCents: 13_000, at: inDays(1) }

  for (const offer of [received, higher, received]) await consume(messageOf(offerReceived, offer))

  expect(await noticesOf(ada)).toMatchObject([{ price: 130 }, { price: 120.5 }])
})

test('an owner without mails about own sales has the notice only; the end of an offer is always mailed', async () => {
  const { ada, ben, offer, received } = await given({ message: false })
  await consume(accountWithout(ben))

  await consume(messageOf(offerReceived, received))
  expect(await queuedFor(ada)).toEqual([])
  await consume(lost(offer, 'declined'))

  expect(await noticesOf(ada)).toHaveLength(1)
  expect(await queuedFor(ben)).toEqual(['offer-ended'])
})
const accountWithout = ({ notifications, ...person }: ReturnType<typeof account>) =>
  messageOf(accountChanged, { ...person, version: 2, notifications: { ...notifications, message: false } })

test.each([
  ['declined', 'Your offer for “Dusk <over> the harbour” was declined', 'offer_declined'],
  ['expired', 'Your offer for “Dusk <over> the harbour” has expired', 'offer_expired'],
  ['sold', 'Your offer for “Dusk <over> the harbour” has ended', 'offer_ended'],
  ['hold_lost', 'Your bank ended the hold for your offer for “Dusk <over> the harbour”', 'offer_ended'],
  ['on_auction', 'Your offer for “Dusk <over> the harbour” has ended', 'offer_ended'],
  ['constructor', 'Your offer for “Dusk <over> the harbour” has ended', 'offer_ended'],
  ['withdrawn', 'You withdrew your offer for “Dusk <over> the harbour”', null],
])('an offer that ended as %s has one mail that nothing was charged', async (why, subject, what) => {
  const { ada, ben, offer } = await given()

  for (let time = 0; time < 2; time++) await consume(lost(offer, why))

  await until(() => mailsTo(ben.email).length === 1)
  const [mail] = mailsTo(ben.email)
  expect(mail!.subject).toBe(subject)
  expect(mail!.text).toMatch(
    /Nothing was charged\. The hold of .*120\.50\u00a0€ on your card is .*; your bank may show it/,
  )
  expect(mail!.text).toContain(why === 'hold_lost' ? 'on your card is over' : 'on your card is given back')
  expect(mail!.text).toContain(`${publicUrl}/contact?about=order:`)
  expect(mail!.text).not.toContain('unsubscribe')
  expect(await queuedFor(ben)).toEqual(['offer-ended'])
  expect((await noticesOf(ben)).map((notice: { what: string }) => notice.what)).toEqual(what ? [what] : [])
  expect(await queuedFor(ada)).toEqual([])
})

const held = ({ orderId, itemId, contract, identifier, name, image, buyerId, priceCents }: Offered) => {
  const work = { itemId, token: `${contract}/${identifier}`, name, image }
  const endsAt = '2026-12-24T18:00:00.000Z'
  return messageOf(bidHeld, { orderId, ...work, kind: 'offer', buyerId, priceCents, endsAt, at: inDays(0) })
}

test('a buyer whose card is held has one mail: what is held and can be charged, until when, and how it comes back', async () => {
  const { ada, ben, offer } = await given()
  await consume(accountWithout(ben))

  for (let time = 0; time < 2; time++) await consume(held(offer))

  await until(() => mailsTo(ben.email).length === 1)
  const [{ subject, text, html }] = mailsTo(ben.email) as [Mail]
  expect(subject).toBe('Your bank holds 120.50\u00a0€ for your offer for “Dusk <over> the harbour”')
  expect(text).toContain('Nothing is charged now.')
  expect(text).toContain('Only once it has arrived is your card charged, 120.50\u00a0€ and no more.')
  expect(text).toMatch(/If the owner declines .* the hold is given back at once; your bank may show it for some days/)
  expect(text).toContain('The owner can accept until: 24 December 2026 at 18:00 UTC')
  expect(text).toContain(`See your offer:\n${publicUrl}/orders/${offer.orderId}`)
  expect(text).not.toContain('unsubscribe')
  expect(html).toContain('Dusk &lt;over&gt; the harbour')
  expect(await queuedFor(ben)).toEqual(['offer-held'])
  expect([await queuedFor(ada), await noticesOf(ben)]).toEqual([[], []])
})
type Mail = ReturnType<typeof mailsTo>[number]

test('a hold that is over is mailed no more: neither a waiting mail is sent, nor one of a late event queued', async () => {
  const [waiting, accepted, late] = [await given(), await given(), await given()]
  // No mail is due meanwhile.
  await sql`alter table mail alter next_attempt_at set default now() + interval '1 hour'`.execute(db)
  for (const { offer } of [waiting, accepted]) await consume(held(offer))

  await consume(lost(waiting.offer, 'declined'))
  await consume(won(accepted.offer))
  await consume(lost(late.offer, 'declined'))
  await consume(held(late.offer))

  await sql`alter table mail alter next_attempt_at set default now()`.execute(db)
  expect(await queuedFor(waiting.ben)).toEqual(['offer-ended'])
  expect(await queuedFor(accepted.ben)).toEqual([])
  expect(await queuedFor(late.ben)).toEqual(['offer-ended'])
})

test('an offer whose card was never held has neither mail nor notice', async () => {
  const { ben, offer } = await given()
  await consume(lost(offer, 'not_held', false))
  expect(await queuedFor(ben)).toEqual([])
  expect(await noticesOf(ben)).toEqual([])
})

test.each(['bid_not_found', 'undecided', 'sold', 'operator'])(
  'an offer that payments gave back as %s, of whose hold catalog had not read, has one mail',
  async (why) => {
    const { ben, offer } = await given()
    await consume(lost(offer, why, false))
    expect(await queuedFor(ben)).toEqual([])

    for (let time = 0; time < 2; time++) await consume(released(offer, why))
    await consume(lost(offer, why))

    await until(() => mailsTo(ben.email).length === 1)
    const { subject, text, html } = mailsTo(ben.email)[0]!
    expect(subject).toBe('Your offer for “Dusk <over> the harbour” has ended')
    expect(text).toMatch(/Nothing was charged\. The hold of 120\.50\u00a0€ on your card is given back/)
    expect(html).toContain(`${publicUrl}/uploads/nfts/dusk.webp?w=640`)
    expect(await queuedFor(ben)).toEqual(['offer-ended'])
    expect(await noticesOf(ben)).toMatchObject([{ what: 'offer_ended', price: 120.5 }])
  },
)
const releaseOf = (offer: Offered, why: string) => {
  const { orderId, itemId, contract, identifier, name, image, priceCents, buyerId } = offer
  const held = { buyerId, token: `${contract}/${identifier}`, name, image, priceCents }
  return { orderId, lineId: randomUUID(), itemId, kind: 'offer' as const, why, held, at: inDays(0) }
}
const released = (offer: Offered, why: string) => messageOf(bidReleased, releaseOf(offer, why))

test('an offer that payments released is mailed neither unpaid, nor after its order was confirmed', async () => {
  const [unpaid, confirmed] = [await given(), await given()]
  const { held: _, ...page } = releaseOf(unpaid.offer, 'not_held')
  await consume(messageOf(bidReleased, page))
  expect(await queuedFor(unpaid.ben)).toEqual([])

  await consume(messageOf(orderAuthorised, orderOf(confirmed.offer)))
  await consume(released(confirmed.offer, 'bid_not_found'))
  expect(await queuedFor(confirmed.ben)).toEqual(['order-placed'])
})

test('an accepted offer has a notice and one mail: the confirmation of its order', async () => {
  const { ben, offer } = await given()
  const order = orderOf(offer)

  for (let time = 0; time < 2; time++) {
    await consume(won(offer))
    await consume(messageOf(orderAuthorised, order))
  }

  await until(() => mailsTo(ben.email).length === 1)
  const [mail] = mailsTo(ben.email)
  expect(mail!.subject).toBe('Your offer for “Dusk <over> the harbour” was accepted')
  expect(mail!.text).toMatch(/The owner accepted your offer.*120\.50\u00a0€ is held on your card, not charged/)
  expect(mail!.text).toMatch(/cannot be withdrawn after it was accepted[\s\S]*Version 2025-02-13/)
  expect(mail!.text).not.toContain('To cancel')
  expect(await queuedFor(ben)).toEqual(['order-placed'])
  expect(await noticesOf(ben)).toMatchObject([{ what: 'offer_accepted', price: 120.5 }])
})

test('the owner gets no mail about an offer that is over: neither a waiting one nor one whose event is late', async () => {
  const [waiting, late] = [await given(), await given()]
  // No mail is due meanwhile.
  await sql`alter table mail alter next_attempt_at set default now() + interval '1 hour'`.execute(db)
  await consume(messageOf(offerReceived, waiting.received))
  expect(await queuedFor(waiting.ada)).toEqual(['offer-received'])

  await consume(lost(waiting.offer, 'withdrawn'))
  await consume(lost(late.offer, 'withdrawn'))
  await consume(messageOf(offerReceived, late.received))

  await sql`alter table mail alter next_attempt_at set default now()`.execute(db)
  expect(await queuedFor(waiting.ada)).toEqual([])
  expect(await queuedFor(late.ada)).toEqual([])
  expect(await noticesOf(late.ada)).toEqual([])
})

test('a buyer whose order is confirmed gets no mail that nothing was charged', async () => {
  const { ben, offer } = await given()
  await consume(messageOf(orderAuthorised, orderOf(offer)))
  await consume(lost(offer, 'expired'))
  expect(await queuedFor(ben)).toEqual(['order-placed'])
  expect(await noticesOf(ben)).toEqual([])
})

test('neither a deleted owner nor a buyer who is deleted or erased gets a mail', async () => {
  const { ada, ben, offer, received } = await given()
  for (const { userId, username, email, firstName } of [ada, ben])
    await consume(messageOf(accountDeleted, { userId, username, email, firstName, at: inDays(0) }))
  await consume(messageOf(offerReceived, received))
  expect(await queuedFor(ada)).not.toContain('offer-received')

  await consume(held(offer))
  await consume(lost(offer, 'account'))
  await db.deleteFrom('recipient').where('userId', '=', ben.userId).execute()
  await consume(lost({ ...offer, orderId: randomUUID() }, 'account'))
  expect(await queuedFor(ben)).not.toContain('offer-ended')
  expect(await queuedFor(ben)).not.toContain('offer-held')
})
