import { randomUUID } from 'node:crypto'
import { accountChanged, accountDeleted } from '@nifty/events/auth'
import { auctionBidReceived, auctionEnded, auctionNews, bidEnded } from '@nifty/events/catalog'
import { bidHeld, bidReleased, orderAuthorised, orderLineReleased } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { account, headerOf, publicUrl, startNotificationWithMails, until } from '../testing/notification.ts'

const { app, consume, db, mailsTo, peers } = await startNotificationWithMails()

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

async function given() {
  const [ben, ada] = [account(), account()]
  for (const person of [ben, ada]) await consume(messageOf(accountChanged, person))
  return { ben, ada, ...auctionOf(ada.userId, ben.userId) }
}

/** An auction of `sellerId`, and a bid of `buyerId` of at most 500 € in it. */
function auctionOf(sellerId: string, buyerId: string) {
  const work = {
    itemId: randomUUID(),
    contract: `0x${'ab'.repeat(20)}`,
    identifier: '7',
    name: 'Dusk <over> the harbour',
    image: '/uploads/nfts/dusk.webp',
  }
  const auction = { auctionId: randomUUID(), ...work, sellerId, at: inHours(1) }
  const endsAt = '2026-11-27T18:40:00.000Z'
  const inAuction: { auctionId: string; priceCents: number; endsAt: string; why?: string } = {
    auctionId: auction.auctionId,
    priceCents: 51_000,
    endsAt,
  }
  const bid = { orderId: randomUUID(), ...work, priceCents: 50_000, kind: 'bid' as const, buyerId, ownerId: sellerId }
  return { auction, bid: { ...bid, auction: inAuction, at: inHours(1) } }
}
type Given = Awaited<ReturnType<typeof given>>

const lost = (bid: Given['bid'], why: string, { wasHeld = true, at = bid.at } = {}) =>
  messageOf(bidEnded, { ...bid, outcome: 'lost', why, wasHeld, at })
const won = (bid: Given['bid']) => messageOf(bidEnded, { ...bid, outcome: 'won', wasHeld: true })
const releaseOf = (bid: Given['bid'], why: string) => {
  const { orderId, itemId, contract, identifier, name, image, priceCents, buyerId } = bid
  const held = { buyerId, token: `${contract}/${identifier}`, name, image, priceCents }
  return { orderId, lineId: randomUUID(), itemId, kind: 'bid' as const, why, held, at: inHours(2) }
}
const released = (bid: Given['bid'], why: string) => messageOf(bidReleased, releaseOf(bid, why))
const authorised = (
  { orderId, itemId, contract, identifier, name, buyerId, priceCents }: Given['bid'],
  cents: number,
) =>
  messageOf(orderAuthorised, {
    orderId,
    buyerId,
    works: [{ lineId: randomUUID(), itemId, token: `${contract}/${identifier}`, name, priceCents: cents }],
    totalCents: cents,
    heldCents: priceCents,
    wallet: `0x${'1'.repeat(40)}`,
    kind: 'bid',
    deliverBy: inHours(24),
    termsVersion: '2025-02-13',
    at: inHours(1),
  })

const queuedFor = async ({ email }: { email: string }) =>
  (await db.selectFrom('mail').select('template').where('recipient', '=', email).orderBy('queuedAt').execute()).map(
    ({ template }) => template,
  )
const noticesOf = async ({ userId }: { userId: string }) =>
  (await app.inject({ url: '/api/notices', headers: peers.steppedUp(userId) })).json().notices
const mailTo = async ({ email }: { email: string }) => {
  await until(() => mailsTo(email).length > 0)
  return mailsTo(email)[0]!
}

test('who is outbid has a notice and one mail with the price, the own maximum and the end', async () => {
  const { ada, ben, bid } = await given()

  await consume(released(bid, 'outbid'))
  for (let time = 0; time < 2; time++) await consume(lost(bid, 'outbid'))

  const { subject, text, html } = await mailTo(ben)
  expect(subject).toBe('You were outbid for “Dusk <over> the harbour”')
  expect(text).toContain('the price is 510\u00a0€ now')
  expect(text).toContain(
    'Nothing was charged. The hold of 500\u00a0€ on your card is given back; your bank may show it',
  )
  expect(text).toMatch(
    /Price in the auction: 510\u00a0€\nYour maximum, not charged: 500\u00a0€\nThe auction ends: 27 Nov/,
  )
  expect(text).toContain(`Bid again:\n${publicUrl}/item-detail/unknown/${bid.contract}/7`)
  expect(text).toContain(`${publicUrl}/contact?about=order:`)
  expect(text).not.toContain('unsubscribe')
  expect(html).toContain('Dusk &lt;over&gt; the harbour')
  expect(html).toContain(`${publicUrl}/uploads/nfts/dusk.webp?w=640`)
  expect(await queuedFor(ben)).toEqual(['outbid'])
  expect(await noticesOf(ben)).toMatchObject([{ what: 'bid_outbid', price: 510 }])
  expect(await queuedFor(ada)).toEqual([])
})

test('who bids the maximum that somebody had before is told so', async () => {
  const { ben, bid } = await given()
  await consume(lost({ ...bid, auction: { ...bid.auction, priceCents: bid.priceCents } }, 'outbid'))
  expect((await mailTo(ben)).text).toContain('Somebody had the same maximum before you, and leads: the price is 500')
})

test.each([
  ['too_low', 'others had passed your maximum already', 'Back to the auction'],
  ['too_late', 'after the auction had closed', 'Look at other works'],
  ['late_by_us', 'because of a fault in our store', 'Look at other works'],
  ['hold_too_short', 'Another card may work', 'Back to the auction'],
  ['hold_lost', 'Your bank ended the hold on your card', 'Back to the auction'],
  ['void', 'had to end without a winner', 'Look at other works'],
  ['failed', 'the sale could not be completed', 'Look at other works'],
  ['constructor', 'Your bid could not stand', 'Look at other works'],
])('a bid that ended as %s has one mail with the reason, and a notice', async (why, reason, action) => {
  const { ben, bid } = await given()

  await consume(lost(bid, why))
  await consume(released(bid, why))

  const { text } = await mailTo(ben)
  expect(text).toContain(reason)
  expect(text).toContain(`${action}:\n`)
  expect(text).toContain(`The hold of 500\u00a0€ on your card is ${why === 'hold_lost' ? 'over' : 'given back'}`)
  expect(await queuedFor(ben)).toEqual(['bid-ended'])
  expect(await noticesOf(ben)).toMatchObject([{ what: 'bid_ended', price: 510, at: bid.at }])
})

test.each([
  ['moved', 'The work has left the owner who auctioned it.'],
  ['account', 'Its owner cannot sell in our store at the moment.'],
  ['a reason of a newer release', 'That was not because of your bid.\n'],
])('who bid in an auction that became void is told why: %s', async (why, reason) => {
  const { ben, bid } = await given()
  await consume(lost({ ...bid, auction: { ...bid.auction, why } }, 'void'))
  const { text } = await mailTo(ben)
  expect(text).toContain('had to end without a winner')
  expect(text).toContain(reason)
})

const held = ({ orderId, itemId, contract, identifier, name, image, buyerId, priceCents, at }: Given['bid']) => {
  const work = { itemId, token: `${contract}/${identifier}`, name, image }
  const endsAt = '2026-11-27T18:40:00.000Z'
  return messageOf(bidHeld, { orderId, ...work, kind: 'bid', buyerId, priceCents, endsAt, at })
}

test('each hold of a bidder has one mail, with the maximum and the end; the bid that was raised has no other', async () => {
  const { ben, bid } = await given()
  const higher = { ...bid, orderId: randomUUID(), priceCents: 90_000 }

  for (let time = 0; time < 2; time++) await consume(held(bid))
  const { subject, text } = await mailTo(ben)
  await consume(held(higher))
  await consume(lost(bid, 'raised'))
  await consume(released(bid, 'raised'))

  expect(subject).toBe('Your bank holds 500\u00a0€ for your bid for “Dusk <over> the harbour”')
  expect(text).toContain('one step above the next bidder, at most 500\u00a0€, and only once the work has arrived')
  expect(text).toMatch(
    /If you are outbid, .* the whole hold is given back at once; your bank may show it for some days/,
  )
  expect(text).toContain('The auction ends: 27 November 2026 at 18:40 UTC, or later')
  expect(text).toContain(`See your bid:\n${publicUrl}/orders/${bid.orderId}`)
  expect(await queuedFor(ben)).toEqual(['bid-held', 'bid-held'])
  await until(() => mailsTo(ben.email).length === 2)
})

test('who was outbid or has won before the event of the hold arrives has no mail about it', async () => {
  const [lostBid, wonBid] = [await given(), await given()]
  await consume(lost(lostBid.bid, 'outbid'))
  await consume(authorised(wonBid.bid, 40_000))
  for (const { bid } of [lostBid, wonBid]) await consume(held(bid))
  expect([await queuedFor(lostBid.ben), await queuedFor(wonBid.ben)]).toEqual([['outbid'], ['order-placed']])
})

test('a bid that was raised before the event of its hold arrives has no mail about it', async () => {
  const [byCatalog, byPayments] = [await given(), await given()]
  await consume(lost(byCatalog.bid, 'raised'))
  await consume(released(byPayments.bid, 'raised'))
  for (const { bid, ben } of [byCatalog, byPayments]) {
    await consume(held(bid))
    expect(await queuedFor(ben)).toEqual([])
  }
})

test('a bid that its bidder raised, and one whose page was never paid, have neither mail nor notice', async () => {
  const { ben, bid } = await given()
  const unpaid = { ...bid, orderId: randomUUID() }

  await consume(lost(bid, 'raised'))
  await consume(released(bid, 'raised'))
  await consume(lost(unpaid, 'outbid', { wasHeld: false }))
  const { held: _, ...page } = releaseOf(unpaid, 'not_held')
  await consume(messageOf(bidReleased, page))

  expect(await queuedFor(ben)).toEqual([])
  expect(await noticesOf(ben)).toEqual([])
})

test.each(['bid_not_found', 'undecided', 'void'])(
  'a bid that payments gave back as %s, of whose hold catalog had not read, has one mail',
  async (why) => {
    const { ben, bid } = await given()

    await consume(lost(bid, why, { wasHeld: false }))
    for (let time = 0; time < 2; time++) await consume(released(bid, why))
    await consume(lost(bid, why, { at: inHours(3) }))

    const { subject, text } = await mailTo(ben)
    expect(subject).toBe('Your bid for “Dusk <over> the harbour” has ended')
    expect(text).toMatch(/Nothing was charged\. The hold of 500\u00a0€[\s\S]*Your maximum, not charged: 500\u00a0€/)
    expect(text).not.toContain('Price in the auction')
    expect(await queuedFor(ben)).toEqual(['bid-ended'])
    expect(await noticesOf(ben)).toMatchObject([{ what: 'bid_ended', price: null }])
  },
)

test('a bid that has won is confirmed once, with the price, the held maximum and what is given back', async () => {
  const { ben, bid } = await given()

  for (let time = 0; time < 2; time++) {
    await consume(won({ ...bid, auction: { ...bid.auction, priceCents: 12_050 } }))
    await consume(authorised(bid, 12_050))
  }

  const { subject, text } = await mailTo(ben)
  expect(subject).toBe('You won the auction of “Dusk <over> the harbour”')
  expect(text).toContain(
    'The price is 120.50\u00a0€. Your bank holds your maximum of 500\u00a0€, and nothing is charged',
  )
  expect(text).toMatch(/the rest of the hold is given back[\s\S]*A bid that has won cannot be cancelled/)
  expect(text).toMatch(/Price: 120\.50\u00a0€\nYour maximum, held, not charged: 500\u00a0€/)
  expect(text).not.toContain('To cancel')
  expect(await queuedFor(ben)).toEqual(['order-placed'])
  expect(await noticesOf(ben)).toMatchObject([{ what: 'bid_won', price: 120.5 }])
})

test('a bid that has won at its maximum is confirmed without a rest', async () => {
  const { ben, bid } = await given()
  await consume(authorised(bid, 50_000))
  const { text } = await mailTo(ben)
  expect(text).toContain('500\u00a0€ is held on your card, not charged: your card is charged only when the work has')
  expect(text).not.toContain('the rest of the hold')
})

test('a won bid whose delivery fails has the mail of its order, and no second one', async () => {
  const { ben, bid } = await given()
  await consume(authorised(bid, 12_050))
  const { orderId, itemId, contract, identifier, name, buyerId, ownerId: sellerId } = bid
  const line = { orderId, lineId: randomUUID(), itemId, token: `${contract}/${identifier}`, name, buyerId, sellerId }
  const failure = { priceCents: 12_050, reason: 'undeliverable', moneyWasHeld: true, at: inHours(2) } as const
  await consume(messageOf(orderLineReleased, { ...line, ...failure }))
  await consume(lost(bid, 'failed'))
  await until(() => mailsTo(ben.email).length === 2)
  expect(mailsTo(ben.email)[1]!.text).toContain('Not charged: 120.50\u00a0€')
  expect(await queuedFor(ben)).toEqual(['order-placed', 'released'])
})

test('a bidder and a seller who are deleted or erased get no mail', async () => {
  const { ada, ben, auction, bid } = await given()
  for (const { userId, username, email, firstName } of [ada, ben])
    await consume(messageOf(accountDeleted, { userId, username, email, firstName, at: inHours(0) }))
  const ends = async (changes: object) => {
    await consume(lost({ ...bid, ...changes }, 'account'))
    await consume(released({ ...bid, orderId: randomUUID() }, 'account'))
    await consume(endOf({ ...auction, auctionId: randomUUID() }, { outcome: 'void', why: 'account' }))
  }
  await ends({})
  await db.deleteFrom('recipient').where('userId', 'in', [ada.userId, ben.userId]).execute()
  await ends({ orderId: randomUUID() })
  for (const person of [ada, ben]) expect(await queuedFor(person)).toEqual(['goodbye'])
})

const endOf = (
  auction: Given['auction'],
  end: { outcome: 'awarded' | 'unsold' | 'cancelled' | 'void' | 'failed'; why?: string; bids?: number },
) =>
  messageOf(auctionEnded, {
    ...auction,
    bids: 3,
    priceCents: ['awarded', 'failed'].includes(end.outcome) ? 12_050 : null,
    ...end,
  })

test.each([
  [
    { outcome: 'awarded' },
    'has a winner',
    /won “Dusk <over> the harbour” for 120\.50\u00a0€[\s\S]*Price: 120\.50\u00a0€/,
  ],
  [{ outcome: 'unsold', bids: 0 }, 'has ended without a sale', /nobody has bid[\s\S]*Bids: 0/],
  [{ outcome: 'unsold' }, 'has ended without a sale', /no bid was left[\s\S]*Bids: 3/],
  [{ outcome: 'failed' }, 'has failed', /Nobody is charged, and there is no sale/],
  [{ outcome: 'void', why: 'moved' }, 'was stopped', /The work has left the wallet[\s\S]*Their holds are given back/],
  [{ outcome: 'void', why: 'constructor', bids: 0 }, 'was stopped', /It could not go on\.(?![\s\S]*holds)/],
] as const)('the seller has one mail and a notice of an auction that ended: %j', async (end, subject, text) => {
  const { ada, auction } = await given()
  const { notifications } = ada
  const quiet = { ...ada, version: 2, notifications: { ...notifications, message: false } }
  await consume(messageOf(accountChanged, quiet))

  for (let time = 0; time < 2; time++) await consume(endOf(auction, end))

  const mail = await mailTo(ada)
  expect(mail.subject).toContain(subject)
  expect(mail.subject).toContain('“Dusk <over> the harbour”')
  expect(mail.text).toMatch(text)
  expect(mail.text).toContain(`${publicUrl}/studio`)
  expect(await queuedFor(ada)).toEqual([`auction-${end.outcome}`])
  expect(await noticesOf(ada)).toMatchObject([
    { what: 'auction_ended', price: end.outcome === 'awarded' ? 120.5 : null },
  ])
})

test('a sale that fails after the auction has a second mail; a cancelled auction has none', async () => {
  const { ada, auction } = await given()
  await consume(endOf({ ...auction, auctionId: randomUUID() }, { outcome: 'cancelled', bids: 0 }))
  expect(await noticesOf(ada)).toEqual([])
  await consume(endOf(auction, { outcome: 'awarded' }))
  await consume(endOf({ ...auction, at: inHours(2) }, { outcome: 'failed' }))
  expect(await queuedFor(ada)).toEqual(['auction-awarded', 'auction-failed'])
  expect(await noticesOf(ada)).toMatchObject([{ what: 'auction_ended', price: null }])
})

test('the first bid on a work is a notice for its seller, without a mail', async () => {
  const { ada, auction } = await given()
  await consume(messageOf(auctionBidReceived, { ...auction, priceCents: 1_000, endsAt: inHours(24) }))
  expect(await noticesOf(ada)).toMatchObject([{ what: 'auction_bid', price: 10, read: false }])
  expect(await queuedFor(ada)).toEqual([])
})

const newsOf = ({ sellerId: _, ...auction }: Given['auction'], userIds: string[], changes: object) =>
  messageOf(auctionNews, { ...auction, artist: 'Ada Lind', priceCents: 1_000, userIds, ...changes } as never)
const untilNoticesAreMailed = () =>
  expect.poll(() => db.selectFrom('notice').select('id').where('mailDue', '=', true).execute()).toEqual([])

async function givenFan(salePromotion: boolean) {
  const fan = account()
  const changed = { ...fan, notifications: { ...fan.notifications, salePromotion } }
  await consume(messageOf(accountChanged, changed))
  peers.confirmed.add(fan.userId)
  return fan
}

test.each([
  [
    'began',
    null,
    'The auction of “Dusk <over> the harbour” has begun',
    /first bid starts the clock[\s\S]*Opening price: 10/,
  ],
  [
    'began',
    inHours(48),
    'The auction of “Dusk <over> the harbour” has begun',
    /Opening price: 10[\s\S]*The auction ends: /,
  ],
  [
    'ends',
    inHours(1),
    'The auction of “Dusk <over> the harbour” ends soon',
    /Price now: 10\u00a0€\nThe auction ends: .* UTC/,
  ],
])(
  'that the auction of a favourite %s (end: %s) is a notice, and one mail if the flag allows it',
  async (what, endsAt, subject, text) => {
    const { auction } = await given()
    const [fan, quiet] = [await givenFan(true), await givenFan(false)]

    const event = newsOf(auction, [fan.userId, quiet.userId], { what, endsAt, at: inHours(0) })
    for (let time = 0; time < 2; time++) await consume(event)

    const mail = await mailTo(fan)
    expect(mail.subject).toBe(subject)
    expect(mail.text).toMatch(text)
    expect(mail.text).toContain('Artist: Ada Lind')
    expect(await headerOf(mail, 'List-Unsubscribe')).toContain(`token=salePromotion.${fan.userId}.`)
    await untilNoticesAreMailed()
    expect([await queuedFor(fan), await queuedFor(quiet)]).toEqual([[`notice-auction_${what}`], []])
    for (const person of [fan, quiet])
      expect(await noticesOf(person)).toMatchObject([{ what: `auction_${what}`, artist: 'Ada Lind', price: 10 }])
  },
)

test('former bidders read in a notice, without a mail, that an auction is open again', async () => {
  const { auction } = await given()
  const bidder = await givenFan(true)
  await consume(
    newsOf(auction, [bidder.userId], { what: 'reopened', artist: null, endsAt: inHours(1), at: inHours(0) }),
  )
  expect(await noticesOf(bidder)).toMatchObject([{ what: 'auction_reopened', price: 10, read: false }])
  expect(await queuedFor(bidder)).toEqual([])
})

test('that an auction ends is not mailed after its end', async () => {
  const { auction } = await given()
  const fan = await givenFan(true)
  await consume(newsOf(auction, [fan.userId], { what: 'ends', endsAt: inHours(-1), at: inHours(-2) }))
  await untilNoticesAreMailed()
  expect(await noticesOf(fan)).toHaveLength(1)
  expect(await queuedFor(fan)).toEqual([])
})

test('who bid in an auction has a notice and one mail in its last hour, whatever the flags: the leader another one', async () => {
  const { auction } = await given()
  const [leader, outbid] = [await givenFan(true), await givenFan(false)]
  const userIds = [leader.userId, outbid.userId]
  const changes = { what: 'ends', endsAt: inHours(1), at: inHours(0), bidders: { leaderId: leader.userId } }

  for (let time = 0; time < 2; time++) await consume(newsOf(auction, userIds, changes))

  const [leads, lags] = [await mailTo(leader), await mailTo(outbid)]
  expect([leads.subject, lags.subject]).toEqual(Array(2).fill('The last hour to bid for “Dusk <over> the harbour”'))
  expect(leads.text).toMatch(
    /Your bid leads\.[\s\S]*Price now: 10\u00a0€\nThe auction ends: .* UTC[\s\S]*See the auction:/,
  )
  expect(lags.text).toMatch(/Your bid does not lead, and nothing is held[\s\S]*Bid again:/)
  expect(lags.text).not.toContain('unsubscribe')
  for (const person of [leader, outbid]) {
    expect(await noticesOf(person)).toMatchObject([{ what: 'auction_ends', price: 10 }])
    await untilNoticesAreMailed()
    expect(await queuedFor(person)).toEqual(['bid-last-hour'])
  }
})

test('the last hour of an auction is not mailed after its end, nor to a deleted account', async () => {
  const { auction, ben } = await given()
  const { userId, username, email, firstName } = ben
  const late = await givenFan(true)
  const bidders = { leaderId: null }
  const over = { what: 'ends', endsAt: inHours(-1), at: inHours(-2), bidders }
  await consume(newsOf(auction, [late.userId], over))
  await consume(messageOf(accountDeleted, { userId, username, email, firstName, at: inHours(0) }))
  await consume(newsOf(auction, [userId], { what: 'ends', endsAt: inHours(1), at: inHours(0), bidders }))
  expect(await noticesOf(late)).toMatchObject([{ what: 'auction_ends' }])
  expect([await queuedFor(late), await queuedFor(ben)]).toEqual([[], ['goodbye']])
})

test('a mail of the last hour that waits is not sent once its bid has ended, or its auction', async () => {
  const { auction, ben, bid } = await given()
  const other = await givenFan(false)
  await sql`alter table mail alter next_attempt_at set default now() + interval '1 hour'`.execute(db)
  const hour = { what: 'ends', endsAt: inHours(1), bidders: { leaderId: ben.userId } }
  await consume(newsOf(auction, [ben.userId, other.userId], { ...hour, at: inHours(0) }))

  await consume(lost(bid, 'raised'))
  expect(await queuedFor(ben)).toEqual(['bid-last-hour'])
  await consume(lost({ ...bid, orderId: randomUUID() }, 'outbid'))
  expect([await queuedFor(ben), await queuedFor(other)]).toEqual([['outbid'], ['bid-last-hour']])
  await consume(endOf(auction, { outcome: 'cancelled' }))
  expect(await queuedFor(other)).toEqual([])
  await sql`alter table mail alter next_attempt_at set default now()`.execute(db)
})
