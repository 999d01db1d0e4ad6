import { randomUUID } from 'node:crypto'
import { keyOf } from '@nifty/contracts/keys'
import { accountDeleted } from '@nifty/events/auth'
import { itemListed } from '@nifty/events/catalog'
import { giftEnded, giftOffered, tokenMoved } from '@nifty/events/minting'
import {
  orderLineAuthorised,
  orderLineCleared,
  orderLineCompleted,
  orderLineContested,
  orderLineReleased,
} from '@nifty/events/payments'
import { unseal } from '@nifty/service-kit/base/secrets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  authorise,
  custody,
  deliveryOf,
  givenAccount,
  givenWork,
  orderOf,
  untilState,
  type Work,
} from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'

const minting = await startTestMinting()
const { chain, bearer, steppedUp, published, until } = minting

type Answer = { status: number; body: any }

async function call(method: 'GET' | 'POST', url: string, headers: object, payload?: object): Promise<Answer> {
  const response = await minting.app.inject({ method, url, headers: { ...headers }, payload })
  return { status: response.statusCode, body: response.json() }
}

const give = (userId: string, { identifier }: Pick<Work, 'identifier'>, fields: object = {}) =>
  call('POST', '/api/gifts', steppedUp(userId), {
    contract: chain.collection,
    identifier,
    email: 'ben@people.test',
    text: 'Happy birthday',
    ...fields,
  })
const claim = (userId: string, token: string) => call('POST', '/api/gifts/claim', bearer(userId), { token })
const open = (token: string) => call('POST', '/api/gifts/open', {}, { token })
const takeBack = (userId: string, id: string) => call('POST', `/api/gifts/${id}/take-back`, bearer(userId))
const readdress = (userId: string, id: string, email = 'other@people.test') =>
  call('POST', `/api/gifts/${id}/address`, steppedUp(userId), { email })
const read = async (userId: string, id: string) => (await call('GET', `/api/gifts/${id}`, bearer(userId))).body
const withdraw = (userId: string, { identifier }: Work) =>
  call('POST', '/api/withdrawals', steppedUp(userId), { contract: chain.collection, identifier })

const offers = (giftId: string) => published(giftOffered).filter((offer) => offer.giftId === giftId)
const endings = (giftId: string) => published(giftEnded).filter((ending) => ending.giftId === giftId)

/** The token of the mailed link with this number. */
const linkOf = (giftId: string, number = 1) =>
  until(() => offers(giftId)[number - 1]?.link).then((link) => unseal(link, minting.mailTokenKey))
const untilEnded = (giftId: string) => until(() => endings(giftId)[0])
const untilGift = (userId: string, id: string, state: string) =>
  until(async () => (await read(userId, id)).state === state)

const ownerOf = (token: string) =>
  published(tokenMoved)
    .filter((moved) => moved.token === token)
    .at(-1)?.ownerId

async function givenOwner() {
  const wallet = (await chain.newWallet()).address
  const { userId } = await givenAccount(minting, { admin: true, wallet, walletProven: true })
  return { userId, work: await givenWork(minting, { creatorId: userId }) }
}

async function givenGift(fields: object = {}) {
  const { userId, work } = await givenOwner()
  const { status, body } = await give(userId, work, fields)
  expect([status, body.code]).toEqual([200, undefined])
  return { userId, work, id: body._id as string, link: await linkOf(body._id) }
}

const shares = { sellerCents: 4_500, commissionCents: 500, royaltyCents: 0, txHash: '0x12' }

/** A purchase into custody for somebody else; `complete`: the card is charged. */
async function givenBoughtGift(account?: string) {
  const buyerId = account ?? (await givenAccount(minting)).userId
  const work = await givenWork(minting)
  const line = { ...orderOf(work, { ...custody, buyerId }), gift: { email: 'ben@people.test', text: 'For you' } }
  await minting.consume(orderLineAuthorised, line)
  const { deliverBy: _deliverBy, wallet: _wallet, gift: _gift, custody: _custody, ...rest } = line
  const gifts = async () => (await call('GET', '/api/gifts', bearer(buyerId))).body.gifts
  return {
    buyerId,
    work,
    line,
    gifts,
    completed: { ...rest, ...shares },
    release: () => minting.consume(orderLineReleased, { ...rest, reason: 'cancelled' as const, moneyWasHeld: true }),
    complete: async (id?: string) => {
      await untilState(minting, line.lineId, 'final')
      await minting.consume(orderLineCompleted, { ...rest, ...shares }, id)
      return (await gifts())[0]
    },
    contest: (second: number) =>
      minting.consume(orderLineContested, { ...rest, at: new Date(Date.UTC(2026, 3, 1, 0, 0, second)).toISOString() }),
    clear: (second: number) =>
      minting.consume(orderLineCleared, { ...rest, at: new Date(Date.UTC(2026, 3, 1, 0, 0, second)).toISOString() }),
  }
}

test('a bought gift is mailed once after the capture, and claimed into the custody of an account without a wallet', async () => {
  const { buyerId, work, line, gifts, complete } = await givenBoughtGift()
  expect(await gifts()).toMatchObject([{ state: 'bought', orderId: line.orderId, role: 'giver', until: null }])
  await untilState(minting, line.lineId, 'final')
  expect(published(giftOffered).filter(({ token }) => token === work.token)).toEqual([])

  const { _id: id, ...offered } = await complete()
  await complete(randomUUID())
  const link = await linkOf(id)
  expect(offered).toMatchObject({ state: 'offered', email: 'ben@people.test', text: 'For you', name: 'Dusk' })
  expect(offers(id)).toMatchObject([{ number: 1, email: 'ben@people.test', text: 'For you', orderId: line.orderId }])
  expect(JSON.stringify([minting.messages, offered])).not.toContain(link)

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
    expect(body.gifts).toMatchObject([{ _id: id, state: 'claimed', recipientId: recipient, deliveryId: id }])
  }

  expect(await claim(recipient, link)).toMatchObject({ status: 202, body: { state: 'claimed' } })
  const other = randomUUID()
  expect(await claim(other, link)).toMatchObject({ status: 404, body: { code: 'gift_claimed' } })
  expect(await takeBack(buyerId, id)).toMatchObject({ status: 409, body: { code: 'gift_claimed' } })
  expect(await readdress(buyerId, id)).toMatchObject({ status: 409, body: { code: 'gift_claimed' } })
  expect(await read(other, id)).toMatchObject({ code: 'gift_not_found' })
})

test('a gift whose purchase was released is never mailed', async () => {
  const { gifts, release, completed } = await givenBoughtGift()
  await release()
  expect((await gifts())[0]).toMatchObject({ state: 'ended' })
  await minting.consume(orderLineCompleted, completed)
  expect((await gifts())[0]).toMatchObject({ state: 'ended' })
})

test('until it is claimed a gift is neither withdrawn, listed nor given again, and taken back it is the giver’s', async () => {
  const { userId, work, id, link } = await givenGift()
  expect(await withdraw(userId, work)).toMatchObject({ status: 409, body: { code: 'gift_waits' } })
  expect(await give(userId, work)).toMatchObject({ status: 409, body: { code: 'gift_waits' } })
  const asked = await minting.callInternal('/internal/deliverable', {
    tokens: [{ token: work.token, ownerId: userId }],
  })
  expect(asked.body.tokens).toMatchObject([{ deliverable: false, code: 'gift_waits' }])

  expect(await takeBack(randomUUID(), id)).toMatchObject({ status: 404, body: { code: 'gift_not_found' } })
  expect(await takeBack(userId, id)).toMatchObject({ status: 200, body: { state: 'taken_back' } })
  expect(await takeBack(userId, id)).toMatchObject({ status: 200 })
  expect(await untilEnded(id)).toMatchObject({ why: 'taken_back', recipientId: null })
  expect(await claim(randomUUID(), link)).toMatchObject({ status: 404, body: { code: 'gift_taken_back' } })
  expect((await withdraw(userId, work)).status).toBe(202)
})

test('with a corrected address the former link is dead, and the new one works', async () => {
  const { userId, id, link } = await givenGift()
  expect(await readdress(userId, id)).toMatchObject({ status: 200, body: { email: 'other@people.test' } })
  const corrected = await linkOf(id, 2)
  expect(offers(id).map(({ number, email }) => [number, email])).toEqual([
    [1, 'ben@people.test'],
    [2, 'other@people.test'],
  ])
  expect(await open(link)).toMatchObject({ status: 404, body: { code: 'gift_readdressed' } })
  expect(await claim(randomUUID(), link)).toMatchObject({ status: 404, body: { code: 'gift_readdressed' } })
  const recipient = randomUUID()
  expect((await claim(recipient, corrected)).status).toBe(202)
  await untilGift(recipient, id, 'claimed')
})

test('the address of a gift that is not charged yet is that of its first mail', async () => {
  const { buyerId, gifts, complete } = await givenBoughtGift()
  const { _id: id } = (await gifts())[0]
  expect(await readdress(buyerId, id)).toMatchObject({ status: 200, body: { state: 'bought' } })
  await complete()
  await linkOf(id)
  expect(offers(id)).toMatchObject([{ number: 1, email: 'other@people.test' }])
})

test('a gift that nobody claims in 90 days stays with its giver, and its address is erased a month later', async () => {
  const { userId, work, id, link } = await givenGift()
  await sql`update gift set until = now() where id = ${id}`.execute(minting.db)
  await untilGift(userId, id, 'lapsed')
  expect(await untilEnded(id)).toMatchObject({ why: 'lapsed', recipientId: null })
  expect(await claim(randomUUID(), link)).toMatchObject({ status: 404, body: { code: 'gift_lapsed' } })
  await sql`update gift set changed_at = now() - interval '31 days' where id = ${id}`.execute(minting.db)
  await until(async () => (await read(userId, id)).email === null)
  expect(await read(userId, id)).toMatchObject({ text: '', name: 'Dusk' })
  expect((await give(userId, work)).status).toBe(200)
})

test('of several who claim at once one gets the work', async () => {
  const { work, id, link } = await givenGift()
  const people = [randomUUID(), randomUUID(), randomUUID()]
  const answers = await Promise.all(people.map((userId) => claim(userId, link)))
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 404, 404])
  const winner = people[answers.findIndex(({ status }) => status === 202)]!
  await untilGift(winner, id, 'claimed')
  await until(() => ownerOf(work.token) === winner)
})

test('a gift is given by the owner alone, out of custody, not for sale, and with the guards of a withdrawal', async () => {
  const { userId, work } = await givenOwner()
  const code = async (answer: Promise<Answer>) => (await answer).body.code
  expect(await code(give(randomUUID(), work))).toBe('user_not_found')
  expect(await code(give((await givenAccount(minting)).userId, work))).toBe('not_owner')
  const payload = { contract: chain.collection, identifier: work.identifier, email: 'ben@people.test' }
  expect(await call('POST', '/api/gifts', bearer(userId), payload)).toMatchObject({
    status: 403,
    body: { code: 'step_up_required' },
  })
  expect((await give(userId, { identifier: '424242' })).status).toBe(404)
  const until = new Date(Date.now() + 3_600_000).toISOString()
  for (const [state, expected] of [
    [{ emailConfirmed: false }, 'email_not_confirmed'],
    [{ emailConfirmed: true, waitsUntil: until }, 'withdrawal_waits'],
  ] as const) {
    Object.assign(minting.withdrawer, state)
    expect(await code(give(userId, work))).toBe(expected)
  }
  Object.assign(minting.withdrawer, { waitsUntil: null })
  const listing = { itemId: work.itemId, token: work.token, sellerId: userId, priceCents: 500, listingVersion: 1 }
  await minting.consume(itemListed, { ...listing, at: new Date().toISOString() })
  expect(await code(give(userId, work))).toBe('listed')

  const inWallet = await givenWork(minting, { creatorId: userId, wallet: (await chain.newWallet()).address })
  expect(await code(give(userId, inWallet))).toBe('not_in_custody')
})

test.each([
  ['email', { email: 'nobody' }],
  ['email', { email: 'a@b.test, c@d.test' }],
  ['email', { email: `${'a'.repeat(300)}@b.test` }],
  ['text', { text: 'x'.repeat(301) }],
  ['text', { text: 'see www.evil.test' }],
])('a wrong %s is a 400 beside the field', async (path, fields) => {
  const { status, body } = await give(randomUUID(), { identifier: '1' }, fields)
  expect([status, body.code, body.errors]).toMatchObject([400, 'invalid_gift', [{ path }]])
})

test.each([[''], ['nonsense'], ['x'.repeat(101)], ['\u0000']])('the link %j is none', async (token) => {
  for (const answer of [await open(token), await claim(randomUUID(), token)])
    expect([400, 404]).toContain(answer.status)
  expect(await open('nonsense')).toMatchObject({ status: 404, body: { code: 'gift_not_found' } })
})

test('the giver does not claim an own gift, and ten links a day are mailed', async () => {
  const { userId, work, id, link } = await givenGift()
  expect(await claim(userId, link)).toMatchObject({ status: 409, body: { code: 'own_gift' } })
  for (let i = 0; i < 9; i++) expect((await readdress(userId, id)).status).toBe(200)
  expect(await readdress(userId, id)).toMatchObject({ status: 429, body: { code: 'too_many_gifts' } })
  await takeBack(userId, id)
  expect(await give(userId, work)).toMatchObject({ status: 429, body: { code: 'too_many_gifts' } })
  await sql`update gift_link set created_at = created_at - interval '25 hours' where gift_id = ${id}`.execute(
    minting.db,
  )
  expect((await give(userId, work)).status).toBe(200)
})

test('a contested gift is neither claimed nor given, and contested later its recipient does not withdraw it', async () => {
  const { complete, contest, clear, work } = await givenBoughtGift()
  const { _id: id } = await complete()
  const link = await linkOf(id)
  const wallet = (await chain.newWallet()).address
  const { userId: recipient } = await givenAccount(minting, { wallet, walletProven: true })
  await contest(1)
  expect(await claim(recipient, link)).toMatchObject({ status: 409, body: { code: 'work_contested' } })
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
  await clear(4)
  expect((await withdraw(recipient, work)).status).toBe(202)
})

test('CUSTODY_HOLD_HOURS of a purchase hold for the recipient of the gift', async () => {
  const { complete, work } = await givenBoughtGift()
  const { _id: id } = await complete()
  const { userId: recipient } = await givenAccount(minting, { wallet: (await chain.newWallet()).address })
  await claim(recipient, await linkOf(id))
  await untilGift(recipient, id, 'claimed')
  minting.config.custodyHoldHours = 24
  try {
    expect(await withdraw(recipient, work)).toMatchObject({ status: 409, body: { code: 'custody_hold' } })
    expect(await give(recipient, work)).toMatchObject({ status: 409, body: { code: 'custody_hold' } })
  } finally {
    minting.config.custodyHoldHours = 0
  }
})

test('a claim that is stopped before it is signed leaves the gift, and a new claim has it', async () => {
  const { id, link } = await givenGift()
  const { userId: recipient } = await givenAccount(minting)
  chain.proxy.fail({ '*': 'before' })
  expect((await claim(recipient, link)).status).toBe(202)
  await givenAccount(minting, { userId: recipient, version: 2, suspended: true })
  chain.proxy.heal()
  await until(async () => (await open(link)).status === 200)
  expect(await claim(recipient, link)).toMatchObject({ status: 403, body: { code: 'suspended' } })
  const other = randomUUID()
  expect((await claim(other, link)).status).toBe(202)
  await untilGift(other, id, 'claimed')
})

test('an account that is frozen or deleted gives nothing: its gifts are taken back, also one that is being claimed', async () => {
  const { userId, id, link } = await givenGift()
  await givenAccount(minting, { userId, version: 2, suspended: true })
  expect(await claim(randomUUID(), link)).toMatchObject({ status: 404, body: { code: 'gift_taken_back' } })
  expect(await untilEnded(id)).toMatchObject({ why: 'taken_back' })

  const second = await givenGift()
  chain.proxy.fail({ '*': 'before' })
  expect((await claim(randomUUID(), second.link)).status).toBe(202)
  await givenAccount(minting, { userId: second.userId, version: 2, suspended: true })
  chain.proxy.heal()
  expect(await untilEnded(second.id)).toMatchObject({ why: 'taken_back' })
  expect(ownerOf(second.work.token)).toBe(second.userId)

  const third = await givenGift()
  const gone = { userId: third.userId, username: '@ada', email: 'ada@nifty.test', firstName: 'Ada' }
  await minting.consume(accountDeleted, { ...gone, at: new Date().toISOString() })
  expect(await untilEnded(third.id)).toMatchObject({ why: 'taken_back' })
})

test('a process that is killed after the signature delivers the gift once, with the signed transaction', async () => {
  const { work, id, link } = await givenGift()
  const recipient = randomUUID()
  chain.proxy.fail({ eth_sendRawTransaction: 'before' })
  expect((await claim(recipient, link)).status).toBe(202)
  await untilState(minting, id, 'signed')
  const { transactionId } = await deliveryOf(minting, id)
  await minting.stop()
  chain.proxy.heal()
  await minting.start()
  await untilGift(recipient, id, 'claimed')
  expect((await deliveryOf(minting, id)).transactionId).toBe(transactionId)
  await until(() => ownerOf(work.token) === recipient)
})

test('a database that lost the claim finds it on the chain when the recipient claims again', async () => {
  const { work, id, link } = await givenGift()
  const recipient = randomUUID()
  await claim(recipient, link)
  await untilGift(recipient, id, 'claimed')
  // As a backup from before the claim has it, after the index has passed the block again.
  await minting.db.transaction().execute(async (trx) => {
    await sql`alter table gift disable trigger gift_change`.execute(trx)
    await sql`update gift set state = 'offered', delivery_id = null, recipient_id = null, claims = 0 where id = ${id}`.execute(
      trx,
    )
    await sql`alter table gift enable trigger gift_change`.execute(trx)
    await sql`delete from delivery where line_id = ${id}`.execute(trx)
    await sql`delete from custody_account where user_id = ${recipient}`.execute(trx)
    await sql`update token set owner_id = null, moved_at = null where token = ${work.token}`.execute(trx)
  })
  expect((await claim(recipient, link)).status).toBe(202)
  await untilGift(recipient, id, 'claimed')
  await until(async () => {
    const token = await minting.db
      .selectFrom('token')
      .select('ownerId')
      .where('token', '=', work.token)
      .executeTakeFirstOrThrow()
    return token.ownerId === recipient
  })
})

test('a paid sale of the work replaces a claim that is not signed', async () => {
  const { userId, work, id, link } = await givenGift()
  chain.proxy.fail({ '*': 'before' })
  expect((await claim(randomUUID(), link)).status).toBe(202)
  const buyer = (await chain.newWallet()).address
  const order = await authorise(minting, work, { wallet: buyer })
  chain.proxy.heal()
  await untilState(minting, order.lineId, 'final')
  expect(await chain.ownerOf(work.identifier)).toBe(buyer)
  await untilEnded(id)
  expect(await read(userId, id)).toMatchObject({ state: 'ended' })
})

test('what a suspended account bought as a gift stays its own, also when the purchase is authorised afterwards', async () => {
  const { userId } = await givenAccount(minting, { suspended: true })
  const { gifts, complete, work } = await givenBoughtGift(userId)
  expect(await gifts()).toMatchObject([{ state: 'bought' }])
  expect(await complete()).toMatchObject({ state: 'taken_back', until: null })
  expect(ownerOf(work.token)).toBe(userId)
  expect(published(giftOffered).filter(({ token }) => token === work.token)).toEqual([])
})

test('an open gift of a suspended giver is not claimed, and the answer does not say why', async () => {
  const { userId, id, link } = await givenGift()
  const suspend = (suspended: boolean) =>
    sql`update account set suspended = ${suspended} where user_id = ${userId}`.execute(minting.db)
  await suspend(true)
  const { status, body } = await claim(randomUUID(), link)
  expect([status, body.code]).toEqual([409, 'being_delivered'])
  expect(JSON.stringify(body)).not.toContain('suspend')
  await suspend(false)
  const recipient = randomUUID()
  expect((await claim(recipient, link)).status).toBe(202)
  await untilGift(recipient, id, 'claimed')
})

test('a restored database that has another owner or none leaves the gift as it is until its owner is known', async () => {
  const { userId, work, id, link } = await givenGift()
  const own = (ownerId: string | null) =>
    sql`update token set owner_id = ${ownerId} where token = ${work.token}`.execute(minting.db)
  const onItsWay = { status: 409, body: { code: 'being_delivered' } }
  for (const ownerId of [randomUUID(), null]) {
    await own(ownerId)
    expect(await takeBack(userId, id)).toMatchObject(onItsWay)
    expect(await readdress(userId, id)).toMatchObject(onItsWay)
  }
  await own(randomUUID())
  expect(await claim(randomUUID(), link)).toMatchObject(onItsWay)
  // Only the first claim can be found on the chain.
  await own(null)
  await sql`update gift set claims = 1 where id = ${id}`.execute(minting.db)
  expect(await claim(randomUUID(), link)).toMatchObject(onItsWay)
  await own(userId)
  expect(await takeBack(userId, id)).toMatchObject({ status: 200, body: { state: 'taken_back' } })
})

test('a recipient who is deleted before the claim is signed gets nothing, and the gift can be claimed again', async () => {
  const { userId, work, id, link } = await givenGift()
  const { userId: recipient } = await givenAccount(minting)
  chain.proxy.fail({ '*': 'before' })
  expect((await claim(recipient, link)).status).toBe(202)
  const gone = { userId: recipient, username: '@ada', email: 'ada@nifty.test', firstName: 'Ada' }
  await minting.consume(accountDeleted, { ...gone, at: new Date().toISOString() })
  expect((await deliveryOf(minting, id)).state).toBe('stopped')
  chain.proxy.heal()
  await untilGift(userId, id, 'offered')
  expect(ownerOf(work.token)).toBe(userId)
  expect((await claim(recipient, link)).status).toBe(403)
  const other = randomUUID()
  expect((await claim(other, link)).status).toBe(202)
  await untilGift(other, id, 'claimed')
})

test('a sale to a recipient that minting refuses does not end a gift that is being claimed', async () => {
  const { work, id, link } = await givenGift()
  const recipient = randomUUID()
  chain.proxy.fail({ '*': 'before' })
  expect((await claim(recipient, link)).status).toBe(202)
  const order = await authorise(minting, work, { wallet: chain.delivery })
  expect((await deliveryOf(minting, order.lineId)).state).toBe('failed')
  expect(await read(recipient, id)).toMatchObject({ state: 'claiming' })
  chain.proxy.heal()
  await untilGift(recipient, id, 'claimed')
  expect(await untilEnded(id)).toMatchObject({ why: 'claimed', recipientId: recipient })
})
