import { keepBidder } from '@nifty/api/auth/internal'
import { reinstateAccount, suspendAccount } from '@nifty/api/auth/ops'
import { bidEnded, bidLeads } from '@nifty/events/catalog'
import { giftClaimed, giftClaimFailed, giftEnded, giftOffered, tokenMoved } from '@nifty/events/minting'
import {
  bidReleased,
  orderLineAuthorised,
  orderLineCompleted,
  orderLineReleased,
  orderLineWrittenOff,
} from '@nifty/events/payments'
import { sha256, unseal } from '@nifty/service-kit/base/secrets'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { asOperator, givenMember, type Member, publishedEvents, startTestAuth } from '../testing/auth.ts'
import { freezingIn } from '../testing/freezing.ts'
import { deleteEndedGifts } from './obligation.store.ts'

const auth = await startTestAuth({}, afterAll)
const { consume } = auth.service
const contract = '0x8a61D08b99ecbAA36dC642d9BA8ef5B02fb5Dc49'
const txHash = `0x${'ab'.repeat(32)}`
const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const at = new Date().toISOString()

const remove = ({ id, token, stepUp }: Member, query = '') =>
  auth.call('DELETE', `/api/users/${id}${query}`, { token, stepUp })

const moved = (identifier: string, ownerId: string | null, { to = null as string | null, position = 1 } = {}) => {
  const token = `${contract.toLowerCase()}/${identifier}`
  return messageOf(tokenMoved, { token, contract, identifier, ownerId, wallet: to, position, txHash, at })
}

const lineOf = (people: { buyerId?: string; sellerId?: string }) => ({
  orderId: crypto.randomUUID(),
  lineId: crypto.randomUUID(),
  itemId: crypto.randomUUID(),
  token: `${contract.toLowerCase()}/7`,
  name: 'Dusk',
  priceCents: 5_000,
  at,
  buyerId: crypto.randomUUID(),
  sellerId: crypto.randomUUID(),
  ...people,
})
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
type Custody = { custody?: true }
const authorised = (line: ReturnType<typeof lineOf> & Custody, deliverBy = inAnHour()) =>
  messageOf(orderLineAuthorised, { ...line, wallet, deliverBy })
const released = (line: ReturnType<typeof lineOf>) =>
  messageOf(orderLineReleased, { ...line, reason: 'cancelled' as const, moneyWasHeld: true })
const completed = (line: ReturnType<typeof lineOf> & Custody) =>
  messageOf(orderLineCompleted, { ...line, sellerCents: 4_500, commissionCents: 500, royaltyCents: 0, txHash })
const writtenOff = (line: ReturnType<typeof lineOf>) =>
  messageOf(orderLineWrittenOff, { ...line, sellerCents: 4_500, txHash })

const deletionOf = async (id: string) => (await publishedEvents(auth.db, 'account-deleted', id))[0]!

test('an account whose works the store keeps is deleted only if it gives them up', async () => {
  const ada = await givenMember(auth)
  await consume(moved('1', ada.id))
  await consume(moved('2', ada.id, { to: wallet }))

  const refused = await remove(ada)
  expect(refused).toMatchObject({ status: 409, body: { code: 'works_in_custody' } })
  expect(refused.body.details).toEqual({ works: [{ contract, identifier: '1' }] })
  expect((await remove(ada, '?giveUpWorks=yes')).status).toBe(409)
  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).status).toBe(200)

  expect((await remove(ada, '?giveUpWorks=true')).status).toBe(200)
  const { handBack } = await deletionOf(ada.id)
  expect(sha256(unseal(handBack!.code, auth.config.mailTokenKeys))).toBe(handBack!.codeHash)
})

test('a deletion without works in custody has no code that hands them back', async () => {
  const ada = await givenMember(auth)
  expect((await remove(ada, '?giveUpWorks=true')).status).toBe(200)
  expect(await deletionOf(ada.id)).not.toHaveProperty('handBack')
})

test.each([
  ['withdrawn to a wallet', (id: string) => moved('3', id, { to: wallet, position: 2 })],
  ['sold', (_: string) => moved('3', crypto.randomUUID(), { position: 2 })],
])('a work that was %s keeps no account, also when an older event follows', async (_, next) => {
  const ada = await givenMember(auth)
  await sql`delete from custody_work`.execute(auth.db)
  await consume(moved('3', ada.id))
  expect((await remove(ada)).status).toBe(409)
  await consume(next(ada.id))
  await consume(moved('3', ada.id, { position: 1 }))
  expect((await remove(ada)).status).toBe(200)
})

test.each(['buyer', 'seller'] as const)('a sale under way keeps the account of its %s until it ends', async (role) => {
  for (const end of [completed, released, writtenOff]) {
    const ada = await givenMember(auth)
    const line = lineOf(role === 'buyer' ? { buyerId: ada.id } : { sellerId: ada.id })
    await consume(authorised(line))
    const refused = await remove(ada, '?giveUpWorks=true')
    expect(refused).toMatchObject({ status: 409, body: { code: 'money_owed' } })
    expect(refused.body.details).toEqual({ lines: [{ orderId: line.orderId, name: 'Dusk', role }] })
    await consume(end(line))
    await consume(authorised(line))
    expect((await remove(ada)).status).toBe(200)
  }
})

test('a line that ended before its authorisation was consumed, or whose deadline is long over, keeps no account', async () => {
  const [ada, ben] = [await givenMember(auth), await givenMember(auth)]
  const line = lineOf({ buyerId: ada.id })
  await consume(released(line))
  await consume(authorised(line))
  await consume(authorised(lineOf({ buyerId: ben.id }), new Date(Date.now() - 2 * 3_600_000).toISOString()))
  expect((await remove(ada)).status).toBe(200)
  expect((await remove(ben)).status).toBe(200)
})

const bidOf = (people: { buyerId?: string; ownerId?: string }, latestEndAt = inAnHour()) => ({
  orderId: crypto.randomUUID(),
  auctionId: crypto.randomUUID(),
  name: 'Dusk',
  buyerId: crypto.randomUUID(),
  ownerId: crypto.randomUUID(),
  latestEndAt,
  at,
  ...people,
})
type LeadingBid = ReturnType<typeof bidOf>
const leads = (bid: LeadingBid) => messageOf(bidLeads, bid)
const bidEnd = ({ latestEndAt: _, auctionId, ...bid }: LeadingBid, end: { outcome: 'won' | 'lost'; why?: string }) =>
  messageOf(bidEnded, {
    ...bid,
    itemId: crypto.randomUUID(),
    contract,
    identifier: '7',
    image: '',
    priceCents: 5_000,
    kind: 'bid' as const,
    auction: { auctionId, priceCents: 5_000, endsAt: at },
    wasHeld: true,
    ...end,
  })

test.each(['buyer', 'seller'] as const)(
  'a bid that leads keeps the account of its %s until it is outbid',
  async (role) => {
    const ada = await givenMember(auth)
    const bid = bidOf(role === 'buyer' ? { buyerId: ada.id } : { ownerId: ada.id })
    await consume(leads(bid))
    const refused = await remove(ada, '?giveUpWorks=true')
    expect(refused).toMatchObject({ status: 409, body: { code: 'bid_leads' } })
    expect(refused.body.details).toEqual({ bids: [{ auctionId: bid.auctionId, name: 'Dusk', role }] })
    expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).status).toBe(200)
    await consume(bidEnd(bid, { outcome: 'lost', why: 'outbid' }))
    expect((await remove(ada)).status).toBe(200)
  },
)

const keep = ({ orderId, buyerId, ownerId: sellerId, name, latestEndAt: until }: LeadingBid) =>
  auth.internal(keepBidder, { params: { orderId }, body: { buyerId, sellerId, name, until } })

test.each(['buyer', 'seller'] as const)(
  'before a bid stands it keeps the account of its %s, until it is outbid',
  async (role) => {
    const [ada, ben] = [await givenMember(auth), await givenMember(auth)]
    const bid = bidOf(role === 'buyer' ? { buyerId: ada.id } : { buyerId: ben.id, ownerId: ada.id })
    const refusal = async () => (await remove(ada)).body
    for (let request = 0; request < 2; request++) expect(await keep(bid)).toEqual({ allowed: true })
    const waiting = { code: 'bid_leads', details: { bids: [{ auctionId: null, name: 'Dusk', role }] } }
    expect(await refusal()).toMatchObject(waiting)
    await consume(leads(bid))
    expect(await keep(bid)).toEqual({ allowed: true })
    const leading = { code: 'bid_leads', details: { bids: [{ auctionId: bid.auctionId, name: 'Dusk', role }] } }
    expect(await refusal()).toMatchObject(leading)

    await consume(bidEnd(bid, { outcome: 'lost', why: 'outbid' }))
    // A request that payments sent before arrives late, as does the event that it led.
    expect(await keep(bid)).toEqual({ allowed: true })
    await consume(leads(bid))
    expect((await remove(ada)).status).toBe(200)
  },
)

test('the bid of an account that is deleted, closed or unknown must not stand; a repeated request keeps its response', async () => {
  const [ada, ben] = [await givenMember(auth), await givenMember(auth)]
  expect((await remove(ada)).status).toBe(200)
  const before = bidOf({ buyerId: ben.id })
  expect(await keep(before)).toEqual({ allowed: true })
  await sql`update account set deletion_requested_at = now() where id = ${ben.id}`.execute(auth.db)
  for (const buyerId of [ada.id, ben.id, crypto.randomUUID()])
    expect(await keep(bidOf({ buyerId }))).toEqual({ allowed: false })
  expect(await keep(before)).toEqual({ allowed: true })
})

test('the bid of an account whose deletion has begun waits for its end, and must not stand', async () => {
  const ada = await givenMember(auth)
  const waiting = () =>
    sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(auth.db)
  const kept = await auth.db.transaction().execute(async (trx) => {
    await sql`update account set deletion_requested_at = now() where id = ${ada.id}`.execute(trx)
    const request = keep(bidOf({ buyerId: ada.id }))
    await expect.poll(async () => (await waiting()).rows.length, { timeout: 10_000 }).toBe(1)
    return { request }
  })
  expect(await kept.request).toEqual({ allowed: false })
})

test('an account with a bid that leads is frozen at once, as such, which keeps the bid and lets no other stand', async () => {
  const { freeze, freezeTokenOf, linkWallet, resetThrough } = freezingIn(auth)
  const [ada, ben] = [await givenMember(auth), await givenMember(auth)]
  for (const member of [ada, ben]) await linkWallet(member)
  const bid = bidOf({ buyerId: ada.id, ownerId: ben.id })
  expect(await keep(bid)).toEqual({ allowed: true })
  await consume(leads(bid))
  const states = async ({ id }: Member) => {
    const { suspended, frozen } = (await publishedEvents(auth.db, 'account-changed', id)).at(-1) as any
    return [suspended, frozen]
  }

  const token = await freezeTokenOf(ada)
  for (let request = 0; request < 2; request++)
    expect(await freeze(token)).toMatchObject({ status: 200, body: { bidLeads: true } })
  expect((await freeze(await freezeTokenOf(ben))).body).toMatchObject({ bidLeads: false })

  expect(await states(ada)).toEqual([true, true])
  expect(await keep(bid)).toEqual({ allowed: true })
  expect(await keep(bidOf({ buyerId: ada.id }))).toEqual({ allowed: false })
  await auth.internal(suspendAccount, { body: asOperator(ada.email) })
  expect(await states(ada)).toEqual([true, undefined])
  await auth.internal(reinstateAccount, { body: asOperator(ada.email) })
  expect(await states(ada)).toEqual([true, true])
  expect((await resetThrough(ada.email)).status).toBe(200)
  expect(await states(ada)).toEqual([false, undefined])
})

test('a frozen account has no leading bid while its bid does not stand yet, once it lost, and after the latest end', async () => {
  const { freeze, freezeTokenOf, linkWallet } = freezingIn(auth)
  const givenFrozen = async (bidder: Member) => {
    await linkWallet(bidder)
    return (await freeze(await freezeTokenOf(bidder))).body
  }
  const [ada, ben, eve] = [await givenMember(auth), await givenMember(auth), await givenMember(auth)]
  const waiting = bidOf({ buyerId: ada.id })
  await keep(waiting)
  await consume(leads(bidOf({ buyerId: ben.id }, new Date(Date.now() - 3_600_000).toISOString())))
  const outbid = bidOf({ buyerId: eve.id })
  await consume(leads(outbid))
  await consume(bidEnd(outbid, { outcome: 'lost', why: 'outbid' }))

  for (const bidder of [ada, ben, eve]) expect(await givenFrozen(bidder)).toMatchObject({ bidLeads: false })

  await consume(leads(waiting))
  expect((await freeze(await freezeTokenOf(ada))).body).toMatchObject({ bidLeads: true })
})

test('a bid that has won leads no more once its order is a sale under way', async () => {
  const { freeze, freezeTokenOf, linkWallet } = freezingIn(auth)
  const ada = await givenMember(auth)
  await linkWallet(ada)
  const bid = bidOf({ buyerId: ada.id })
  await consume(leads(bid))
  await consume(bidEnd(bid, { outcome: 'won' }))
  const token = await freezeTokenOf(ada)
  expect((await freeze(token)).body).toMatchObject({ bidLeads: true })

  await consume(authorised({ ...lineOf({ buyerId: ada.id }), orderId: bid.orderId }))
  expect((await freeze(token)).body).toMatchObject({ bidLeads: false })
})

test('a bid that has won keeps the account until its work has arrived, or its order is released', async () => {
  const releasedBid = ({ orderId, lineId, itemId }: ReturnType<typeof lineOf>) =>
    messageOf(bidReleased, { orderId, lineId, itemId, kind: 'bid', why: 'hold_lost', at })
  for (const end of [completed, released, releasedBid]) {
    const ada = await givenMember(auth)
    const bid = bidOf({ buyerId: ada.id })
    const line = { ...lineOf({ buyerId: ada.id }), orderId: bid.orderId }
    await consume(leads(bid))
    await consume(bidEnd(bid, { outcome: 'won' }))
    expect(await remove(ada)).toMatchObject({ status: 409, body: { code: 'bid_leads' } })
    if (end === completed) {
      await consume(authorised(line))
      expect(await remove(ada)).toMatchObject({ status: 409, body: { code: 'money_owed' } })
    }
    await consume(end(line))
    expect((await remove(ada)).status).toBe(200)
  }
})

test.each([
  ['completed', completed],
  ['written off', writtenOff],
  ['released', released],
])('a bid that is consumed once its order is %s keeps no account, nor does its win', async (_, event) => {
  const ada = await givenMember(auth)
  const bid = bidOf({ buyerId: ada.id })
  await consume(event({ ...lineOf({ buyerId: ada.id }), orderId: bid.orderId }))
  await consume(leads(bid))
  await consume(bidEnd(bid, { outcome: 'won' }))
  expect((await remove(ada)).status).toBe(200)
})

test.each([completed, writtenOff])(
  'the end of a line ends its bid, if its authorisation was not consumed',
  async (end) => {
    const ada = await givenMember(auth)
    const bid = bidOf({ buyerId: ada.id })
    await consume(leads(bid))
    await consume(end({ ...lineOf({ buyerId: ada.id }), orderId: bid.orderId }))
    expect((await remove(ada)).status).toBe(200)
  },
)

test('a bid whose end was never published keeps no account a day after the latest end of its auction', async () => {
  const ada = await givenMember(auth)
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  await consume(leads(bidOf({ buyerId: ada.id }, hoursAgo(25))))
  const late = bidOf({ buyerId: ada.id }, hoursAgo(23))
  await consume(leads(late))
  const refused = await remove(ada)
  expect(refused.body.details).toEqual({ bids: [{ auctionId: late.auctionId, name: 'Dusk', role: 'buyer' }] })
})

/** A line whose work, the token `identifier`, the store keeps for the buyer. */
const custodyLineOf = (buyerId: string, identifier: string) => ({
  ...lineOf({ buyerId }),
  token: `${contract.toLowerCase()}/${identifier}`,
  custody: true as const,
})

test.each([
  ['after its authorisation', [authorised, completed]],
  ['before its authorisation', [completed, authorised]],
])(
  'a completed purchase into custody, consumed %s, keeps the account until its work is consumed',
  async (_, events) => {
    const ada = await givenMember(auth)
    const identifier = String(100 + events.indexOf(completed))
    const line = custodyLineOf(ada.id, identifier)
    await consume(moved(identifier, line.sellerId))
    for (const event of events) await consume(event(line))
    const early = await remove(ada, '?giveUpWorks=true')
    expect(early).toMatchObject({ status: 409, body: { code: 'money_owed' } })

    await consume(moved(identifier, ada.id, { position: 2 }))
    expect(await remove(ada)).toMatchObject({ status: 409, body: { code: 'works_in_custody' } })
    expect((await remove(ada, '?giveUpWorks=true')).status).toBe(200)
    expect(await deletionOf(ada.id)).toHaveProperty('handBack')
  },
)

test('a purchase into custody whose work was consumed before its end keeps no account once the work is withdrawn', async () => {
  const ada = await givenMember(auth)
  const line = custodyLineOf(ada.id, '110')
  await consume(authorised(line))
  await consume(moved('110', ada.id))
  await consume(moved('110', ada.id, { to: wallet, position: 2 }))
  await consume(completed(line))
  expect((await remove(ada)).status).toBe(200)
})

test('a purchase into custody waits for its own work, and for its move to the buyer', async () => {
  const ada = await givenMember(auth)
  const line = custodyLineOf(ada.id, '113')
  await consume(completed(line))
  for (const other of [moved('113', line.sellerId), moved('114', ada.id)]) {
    await consume(other)
    const early = await remove(ada, '?giveUpWorks=true')
    expect(early).toMatchObject({ status: 409, body: { code: 'money_owed' } })
  }
  await consume(moved('113', ada.id, { position: 2 }))
  expect((await remove(ada, '?giveUpWorks=true')).status).toBe(200)
})

test('a purchase into custody whose work was consumed before anything else awaits none', async () => {
  const ada = await givenMember(auth)
  await consume(moved('115', ada.id))
  await consume(completed(custodyLineOf(ada.id, '115')))
  expect(await remove(ada)).toMatchObject({ status: 409, body: { code: 'works_in_custody' } })
})

test('a purchase into custody that was released, and one of which the seller is deleted, keep no account', async () => {
  const [ada, ben] = [await givenMember(auth), await givenMember(auth)]
  const line = custodyLineOf(ada.id, '111')
  await consume(authorised(line))
  await consume(released(line))
  expect((await remove(ada)).status).toBe(200)

  const sold = { ...custodyLineOf(crypto.randomUUID(), '112'), sellerId: ben.id }
  await consume(authorised(sold))
  await consume(completed(sold))
  expect((await remove(ben)).status).toBe(200)
})

const giftOf = (giverId: string, changes: object = {}) => ({
  giftId: crypto.randomUUID(),
  giverId,
  token: `${contract.toLowerCase()}/7`,
  name: 'Dusk',
  image: null,
  number: 1,
  email: 'ben@people.test',
  text: '',
  link: 'sealed',
  until: inAnHour(),
  orderId: null,
  at,
  ...changes,
})
const ended = ({ giftId, giverId, token, name }: ReturnType<typeof giftOf>) =>
  messageOf(giftEnded, { giftId, giverId, token, name, why: 'claimed', recipientId: null, orderId: null, at })

test('a gift that waits for its recipient keeps the account of its giver', async () => {
  const ada = await givenMember(auth)
  const gift = giftOf(ada.id, { orderId: crypto.randomUUID() })
  await consume(messageOf(giftOffered, gift))
  const refused = await remove(ada, '?giveUpWorks=true')
  expect(refused).toMatchObject({ status: 409, body: { code: 'gift_waits' } })
  expect(refused.body.details).toEqual({ gifts: [{ _id: gift.giftId, name: 'Dusk' }] })
  await consume(ended(gift))
  await consume(messageOf(giftOffered, { ...gift, number: 2, orderId: gift.orderId }))
  expect((await publishedEvents(auth.db, 'security-warning-requested', ada.id)).map(({ what }) => what)).toEqual([
    'gift_corrected',
  ])
})

test('the giver of an owned work gets a mail that freezes the account, the giver of a bought one none', async () => {
  const ada = await givenMember(auth)
  const warnings = () => publishedEvents(auth.db, 'security-warning-requested', ada.id)
  await consume(messageOf(giftOffered, giftOf(ada.id, { orderId: crypto.randomUUID() })))
  expect(await warnings()).toEqual([])
  await consume(messageOf(giftOffered, giftOf(ada.id)))
  expect(await warnings()).toMatchObject([{ what: 'gift_given', work: 'Dusk', freezeToken: expect.any(String) }])
})

const claimOf = (recipientId: string, identifier: string) => ({
  claimId: crypto.randomUUID(),
  giftId: crypto.randomUUID(),
  recipientId,
  token: `${contract.toLowerCase()}/${identifier}`,
  name: 'Dusk',
  at,
})
type Claim = ReturnType<typeof claimOf>
const claimed = (claim: Claim) => messageOf(giftClaimed, { ...claim, position: 1 })
const claimFailed = (claim: Claim) => messageOf(giftClaimFailed, claim)

test('a gift on its way keeps the account of its recipient until the work has arrived, which its deletion then hands back', async () => {
  const [ada, ben] = [await givenMember(auth), await givenMember(auth)]
  const claim = claimOf(ada.id, '201')
  await consume(moved('201', ben.id))
  await consume(claimed(claim))
  const refused = await remove(ada, '?giveUpWorks=true')
  expect(refused).toMatchObject({ status: 409, body: { code: 'gift_on_its_way' } })
  expect(refused.body.details).toEqual({ gifts: [{ _id: claim.giftId, name: 'Dusk' }] })

  await consume(moved('201', ada.id, { position: 2 }))
  expect(await remove(ada)).toMatchObject({ status: 409, body: { code: 'works_in_custody' } })
  expect((await remove(ada, '?giveUpWorks=true')).status).toBe(200)
  expect(await deletionOf(ada.id)).toHaveProperty('handBack')
})

test.each([
  ['failed', [claimed, claimFailed]],
  ['failed and was consumed afterwards', [claimFailed, claimed]],
])('a claim that %s keeps no account', async (_, events) => {
  const ada = await givenMember(auth)
  const claim = claimOf(ada.id, '202')
  for (const event of events) await consume(event(claim))
  expect((await remove(ada)).status).toBe(200)
})

test('a work that arrived and left before its claim was consumed keeps no account', async () => {
  const ada = await givenMember(auth)
  await consume(moved('203', ada.id, { position: 2 }))
  await consume(moved('203', ada.id, { to: wallet, position: 3 }))
  await consume(claimed(claimOf(ada.id, '203')))
  expect((await remove(ada)).status).toBe(200)
})

test('gifts that ended are deleted a month later, and with the account of their giver or recipient', async () => {
  const [ada, ben] = [await givenMember(auth), await givenMember(auth)]
  const stored = async () => [
    ...(await auth.db.selectFrom('openGift').select('giverId as of').execute()),
    ...(await auth.db.selectFrom('openClaim').select('recipientId as of').execute()),
  ]
  const ofBoth = async () => (await stored()).filter((row) => [ada.id, ben.id].includes(row.of)).length
  const give = async (id: string) => {
    const gift = giftOf(id)
    await consume(messageOf(giftOffered, gift))
    return gift
  }
  const [over, open] = [await give(ada.id), await give(ada.id)]
  await consume(ended(over))
  const [arrived, failed, waiting] = ['204', '205', '206'].map((identifier) => claimOf(ben.id, identifier))
  for (const claim of [arrived!, failed!, waiting!]) await consume(claimed(claim))
  await consume(moved('204', ben.id, { to: wallet, position: 2 }))
  await consume(claimFailed(failed!))
  await deleteEndedGifts(auth.db)
  expect(await ofBoth()).toBe(5)
  await sql`update open_gift set changed_at = now() - interval '31 days'`.execute(auth.db)
  await sql`update open_claim set changed_at = now() - interval '31 days'`.execute(auth.db)
  await deleteEndedGifts(auth.db)
  expect(await ofBoth()).toBe(2)

  await consume(ended(open))
  await consume(moved('206', ben.id, { to: wallet, position: 2 }))
  for (const member of [ada, ben])
    await sql`update freeze_link set expires_at = now() where account_id = ${member.id}`.execute(auth.db)
  expect((await remove(ada)).status).toBe(200)
  expect((await remove(ben)).status).toBe(200)
  expect(await ofBoth()).toBe(0)
})

test('a gift and a claim that have just ended stay ended for a month, however long they were open', async () => {
  const ada = await givenMember(auth)
  const [gift, claim] = [giftOf(ada.id, { orderId: crypto.randomUUID() }), claimOf(ada.id, '207')]
  const begin = async () => {
    await consume(messageOf(giftOffered, gift))
    await consume(claimed(claim))
  }
  await begin()
  await sql`update open_gift set changed_at = now() - interval '31 days'`.execute(auth.db)
  await sql`update open_claim set changed_at = now() - interval '31 days'`.execute(auth.db)
  await consume(ended(gift))
  await consume(claimFailed(claim))
  await deleteEndedGifts(auth.db)
  await begin()
  expect((await remove(ada)).status).toBe(200)
})
