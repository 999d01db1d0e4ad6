import { randomUUID } from 'node:crypto'
import { keyOf } from '@nifty/contracts/keys'
import { giftOffered, tokenContested } from '@nifty/events/minting'
import { orderLineAuthorised, orderLineCompleted } from '@nifty/events/payments'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { givenAccount, orderOf, untilState } from '../testing/fixtures.ts'
import { anAddress, giftsOf } from '../testing/gifts.ts'
import { startTestMinting } from '../testing/minting.ts'
import { claimIdOf } from './gift-ids.ts'
import { recipientOf } from './link-limit.ts'

const minting = await startTestMinting()
const { bearer, chain, published, until } = minting
const { call, claim, give, givenBoughtGift, givenGift, givenPaidGift, linkOf, offers, open, ownerOf, read } =
  giftsOf(minting)
const mayBuy = async (email: string) =>
  (await minting.callInternal('/internal/gifts/check', { giverId: randomUUID(), email })).body.allowed
const { readdress, takeBack, untilEnded, untilGift, withdraw } = giftsOf(minting)

test('a bought gift is mailed once after the capture, and claimed into the custody of an account without a wallet', async () => {
  const { buyerId, email, work, line, gifts, authorise, complete, until: untilGiver } = await givenBoughtGift()
  await authorise()
  expect(await gifts()).toMatchObject([{ state: 'bought', orderId: line.orderId, role: 'giver', until: null }])
  await untilState(minting, line.lineId, 'final')
  expect(published(giftOffered).filter(({ token }) => token === work.token)).toEqual([])

  await complete()
  const { _id: id, ...offered } = await untilGiver('offered')
  await complete({ id: randomUUID() })
  const link = await linkOf(id)
  expect(offered).toMatchObject({ state: 'offered', email, text: 'For you', name: 'Dusk' })
  expect(offers(id)).toMatchObject([{ number: 1, email, text: 'For you', orderId: line.orderId }])
  expect(JSON.stringify([minting.messages, offered])).not.toContain(link)
  const ofOrder = async (userId: string) =>
    (await call('GET', `/api/gifts?orderId=${line.orderId}`, bearer(userId))).body
  expect(await ofOrder(buyerId)).toMatchObject({ gifts: [{ _id: id }] })
  expect(await ofOrder(randomUUID())).toEqual({ gifts: [] })

  const opened = await open(link)
  expect(opened).toMatchObject({
    status: 200,
    body: { name: 'Dusk', state: 'offered', text: 'For you', giver: '@ada' },
  })
  expect(JSON.stringify(opened.body)).not.toContain('people.test')

  // Auth's event about the new account need not have arrived.
  const recipient = randomUUID()
  const claimed = await claim(recipient, link)
  expect(claimed).toMatchObject({
    status: 202,
    body: { role: 'recipient', state: 'claiming', email: null, orderId: null },
  })
  expect(await claim(recipient, link)).toMatchObject({ status: 202, body: { _id: id } })
  await untilGift(recipient, id, 'claimed')
  await until(() => ownerOf(work.token) === recipient)
  const { account } = await minting.db
    .selectFrom('custodyAccount')
    .select('account')
    .where('userId', '=', recipient)
    .executeTakeFirstOrThrow()
  const beneficiary = await chain.deliveryOf.beneficiaryOf!(chain.collection, BigInt(work.identifier))
  expect(beneficiary).toBe(keyOf(account))
  expect(await untilEnded(id)).toMatchObject({ why: 'claimed', recipientId: recipient, giverId: buyerId })

  for (const known of [id, line.orderId, line.lineId, buyerId, recipient]) {
    const { body } = await minting.callInternal(`/internal/ops/gifts/${known}`)
    expect(body.gifts).toMatchObject([
      {
        _id: id,
        state: 'claimed',
        recipientId: recipient,
        deliveryId: claimIdOf({ giftId: id, recipientId: recipient, number: 0 }),
      },
    ])
  }

  expect(await claim(recipient, link)).toMatchObject({ status: 202, body: { state: 'claimed' } })
  const other = randomUUID()
  expect(await claim(other, link)).toMatchObject({ status: 404, body: { code: 'gift_claimed' } })
  expect(await takeBack(buyerId, id)).toMatchObject({ status: 409, body: { code: 'gift_claimed' } })
  expect(await readdress(buyerId, id)).toMatchObject({ status: 409, body: { code: 'gift_claimed' } })
  expect(await read(other, id)).toMatchObject({ code: 'gift_not_found' })
})

test('a gift whose purchase was released is never mailed, also when that is consumed before its hold', async () => {
  const { gifts, authorise, release, completed } = await givenBoughtGift()
  await authorise()
  await release()
  expect((await gifts())[0]).toMatchObject({ state: 'ended' })
  await minting.consume(orderLineCompleted, completed)
  expect((await gifts())[0]).toMatchObject({ state: 'ended' })

  const retried = await givenBoughtGift()
  await retried.release()
  await retried.authorise()
  expect(await retried.gifts()).toEqual([])
})

test('the address of a gift that is not charged yet is that of its first mail', async () => {
  const { buyerId, gifts, authorise, complete } = await givenBoughtGift()
  await authorise()
  const { _id: id } = (await gifts())[0]
  const email = anAddress()
  expect(await readdress(buyerId, id, email)).toMatchObject({ status: 200, body: { state: 'bought' } })
  await complete()
  await linkOf(id)
  expect(offers(id)).toMatchObject([{ number: 1, email }])
})

test('a gift is mailed although a process of a release without gifts consumed that its line is held, or paid', async () => {
  const held = await givenBoughtGift()
  await held.authorise({ gift: undefined })
  expect(await held.gifts()).toEqual([])
  await held.complete()
  const { _id: id } = await held.until('offered')
  await linkOf(id)
  expect(offers(id)).toMatchObject([{ email: held.email, text: 'For you' }])

  const paid = await givenBoughtGift()
  await paid.authorise()
  await untilState(minting, paid.line.lineId, 'final')
  await minting.db.updateTable('delivery').set({ paidAt: new Date() }).where('lineId', '=', paid.line.lineId).execute()
  await paid.until('offered')
})

test('a refund of the whole price ends a gift that nobody claimed: its link says so, and the work is the giver’s', async () => {
  const { buyerId, id, link, work, refund, gifts } = await givenPaidGift()
  await refund({ whole: false })
  expect((await open(link)).status).toBe(200)
  await refund({ whole: true })
  for (const answer of [await open(link), await claim(randomUUID(), link)])
    expect(answer).toMatchObject({ status: 404, body: { code: 'gift_refunded' } })
  expect(await gifts()).toMatchObject([{ state: 'refunded' }])
  expect(await untilEnded(id)).toMatchObject({ why: 'ended', recipientId: null })
  expect(await takeBack(buyerId, id)).toMatchObject({ status: 409, body: { code: 'gift_over' } })
  expect(ownerOf(work.token)).toBe(buyerId)

  const early = await givenBoughtGift()
  await early.authorise()
  await early.refund({ whole: true })
  await early.complete()
  expect(await early.gifts()).toMatchObject([{ state: 'refunded' }])
})

test('a claim goes on when its purchase is refunded, and the gift ends when it fails', async () => {
  const { buyerId, id, link, work, refund } = await givenPaidGift()
  const { userId: recipient } = await givenAccount(minting)
  chain.proxy.fail({ '*': 'before' })
  expect((await claim(recipient, link)).status).toBe(202)
  await refund({ whole: true })
  expect(await read(recipient, id)).toMatchObject({ state: 'claiming' })
  await givenAccount(minting, { userId: recipient, version: 2, suspended: true })
  chain.proxy.heal()
  await untilEnded(id)
  expect(await read(buyerId, id)).toMatchObject({ state: 'refunded' })
  expect(ownerOf(work.token)).toBe(buyerId)
})

test('links that cost nothing do not delay that of a bought gift', async () => {
  const email = anAddress()
  const { userId, id } = await givenGift({ email })
  for (let i = 0; i < 4; i++) expect((await readdress(userId, id, email)).status).toBe(200)
  expect(await mayBuy(email)).toBe(true)
  const bought = await givenBoughtGift({ email })
  await bought.authorise()
  await bought.complete()
  await bought.until('offered')
})

test('the link of a paid gift waits while its mailbox has had the bought gifts of a day, and its giver sees that', async () => {
  const email = anAddress()
  const bought = await givenBoughtGift({ email })
  await bought.authorise()
  await sql`
    insert into gift (id, giver_id, token, name, line_id, order_id, email, text, state)
    select gen_random_uuid(), gen_random_uuid(), 'filled/' || n, 'Dusk', gen_random_uuid(), gen_random_uuid(), null, '', 'ended'
    from generate_series(1, 20) n`.execute(minting.db)
  await sql`
    insert into gift_link (token_hash, gift_id, recipient, number)
    select id::text, id, ${recipientOf(email)}, 1 from gift where token like 'filled/%'`.execute(minting.db)
  expect([await mayBuy(email), await mayBuy(anAddress())]).toEqual([false, true])
  await bought.complete()
  await minting.until(async () => (await bought.gifts())[0].waitsFor === 'mail_limit')
  expect(await bought.gifts()).toMatchObject([{ state: 'bought' }])

  await sql`update gift_link set created_at = created_at - interval '25 hours' where token_hash in
    (select id::text from gift where token like 'filled/%')`.execute(minting.db)
  await bought.handleNow()
  expect(await bought.until('offered')).toMatchObject({ waitsFor: null })
})

test('a paid gift whose payment is contested is mailed once that is decided, and its giver sees why it waits', async () => {
  const bought = await givenBoughtGift()
  await bought.authorise()
  await bought.contest(1)
  await bought.complete()
  await minting.until(async () => (await bought.gifts())[0].waitsFor === 'contest')
  expect(published(giftOffered).filter(({ token }) => token === bought.work.token)).toEqual([])
  await bought.clear(2)
  await bought.handleNow()
  await bought.until('offered')
})

test('a contested payment concerns its buyer and who has the work as a gift, and no later buyer in a wallet', async () => {
  const bought = await givenBoughtGift()
  await bought.authorise({ gift: undefined })
  await bought.complete({ giftTo: undefined })
  const wallet = (await chain.newWallet()).address
  const { userId: buyerId } = await givenAccount(minting, { wallet, walletProven: true })
  const sold = orderOf(bought.work, { wallet, buyerId, sellerId: bought.buyerId })
  await minting.consume(orderLineAuthorised, sold)
  await untilState(minting, sold.lineId, 'final')
  const obstacle = async () => {
    const tokens = [{ token: bought.work.token, ownerId: buyerId }]
    return (await minting.callInternal('/internal/deliverable', { tokens })).body.tokens[0].code
  }
  await minting.until(() => ownerOf(bought.work.token) === buyerId)
  expect(await obstacle()).toBe('permit_required')
  await bought.contest(1)
  expect(await obstacle()).toBe('permit_required')
})

test('a database that lost a bought gift makes it again with its id, and its claim finds the former one', async () => {
  const { authorise, completed, id, link, line } = await givenPaidGift()
  await minting.db.deleteFrom('giftLink').where('giftId', '=', id).execute()
  await minting.db.deleteFrom('gift').where('id', '=', id).execute()
  expect(await open(link)).toMatchObject({ status: 404, body: { code: 'gift_not_found' } })
  await authorise()
  await minting.consume(orderLineCompleted, completed)
  const repeated = await minting.until(() => offers(id)[1])
  expect(repeated).toMatchObject({ number: 1, orderId: line.orderId })
  expect(repeated.link).not.toBe(offers(id)[0]!.link)
})

test('a contested gift is neither claimed nor given, and contested later its recipient does not withdraw it', async () => {
  const { id, link, contest, clear, work, buyerId } = await givenPaidGift()
  const wallet = (await chain.newWallet()).address
  const { userId: recipient } = await givenAccount(minting, { wallet, walletProven: true })
  await contest(1)
  // A recipient does not learn that a payment is contested.
  const refused = await claim(recipient, link)
  expect(refused).toMatchObject({ status: 409, body: { code: 'being_delivered' } })
  expect(JSON.stringify(refused.body)).not.toContain('payment')
  await clear(2)
  expect((await claim(recipient, link)).status).toBe(202)
  await untilGift(recipient, id, 'claimed')
  await contest(3)
  expect(await withdraw(recipient, work)).toMatchObject({ status: 409, body: { code: 'work_contested' } })
  expect(await give(recipient, work)).toMatchObject({ status: 409, body: { code: 'work_contested' } })
  const asked = await minting.callInternal('/internal/deliverable', {
    tokens: [{ token: work.token, ownerId: recipient }],
  })
  expect(asked.body.tokens).toMatchObject([{ code: 'work_contested' }])
  const told = published(tokenContested).filter(({ token }) => token === work.token)
  expect(told.map(({ ownerId }) => ownerId)).toEqual([buyerId, recipient])
  await clear(4)
  expect((await withdraw(recipient, work)).status).toBe(202)
})

test('CUSTODY_HOLD_HOURS of a purchase hold for the recipient of the gift', async () => {
  const { id, link, work } = await givenPaidGift()
  const { userId: recipient } = await givenAccount(minting, { wallet: (await chain.newWallet()).address })
  await claim(recipient, link)
  await untilGift(recipient, id, 'claimed')
  minting.config.custodyHoldHours = 24
  try {
    expect(await withdraw(recipient, work)).toMatchObject({ status: 409, body: { code: 'custody_hold' } })
    expect(await give(recipient, work)).toMatchObject({ status: 409, body: { code: 'custody_hold' } })
  } finally {
    minting.config.custodyHoldHours = 0
  }
})

test('what a suspended account bought as a gift stays its own, also when the purchase is authorised afterwards', async () => {
  const { userId } = await givenAccount(minting, { suspended: true })
  const { gifts, authorise, complete, until: untilGiver, work } = await givenBoughtGift({ account: userId })
  await authorise()
  expect(await gifts()).toMatchObject([{ state: 'bought' }])
  await complete()
  expect(await untilGiver('taken_back')).toMatchObject({ until: null })
  expect(ownerOf(work.token)).toBe(userId)
  expect(published(giftOffered).filter(({ token }) => token === work.token)).toEqual([])
})
