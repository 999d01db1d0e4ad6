import { randomUUID } from 'node:crypto'
import { itemDelisted, itemListed } from '@nifty/events/catalog'
import { deliveryFinal, deliveryStarted, tokenMoved, withdrawalFinal, withdrawalRequested } from '@nifty/events/minting'
import { orderLineCleared, orderLineCompleted, orderLineContested } from '@nifty/events/payments'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { expect, test } from 'vitest'
import { deliveryWork } from '../deliveries/delivery.work.ts'
import {
  authorise,
  custody,
  givenAccount,
  givenWork,
  orderOf,
  untilCancelSent,
  untilState,
  type Work,
} from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { lockToken } from '../tokens/token.store.ts'

const minting = await startTestMinting()
const { chain, bearer, steppedUp, published, until } = minting

async function givenWorkInCustody(linked = true) {
  const wallet = await chain.newWallet()
  const account = await givenAccount(minting, { admin: true, wallet: linked ? wallet.address : null })
  return { wallet, userId: account.userId, work: await givenWork(minting, { creatorId: account.userId }) }
}
const withdraw = (userId: string, { identifier }: Pick<Work, 'identifier'>, contract = chain.collection) =>
  minting.app.inject({
    method: 'POST',
    url: '/api/withdrawals',
    headers: steppedUp(userId),
    payload: { contract, identifier },
  })
const list = async (userId: string) =>
  (await minting.app.inject({ url: '/api/withdrawals', headers: bearer(userId) })).json().withdrawals

test('a withdrawal transfers the token to the owner’s wallet and publishes no delivery event', async () => {
  const { wallet, userId, work } = await givenWorkInCustody()
  const answer = await withdraw(userId, work)
  expect(answer.statusCode).toBe(202)
  expect(answer.json()).toMatchObject({ identifier: work.identifier, wallet: wallet.address, state: 'accepted' })
  await untilState(minting, answer.json()._id, 'final')

  expect(await chain.ownerOf(work.identifier)).toBe(wallet.address)
  await until(() =>
    published(tokenMoved).some(
      ({ token, ownerId, wallet: to }) => token === work.token && ownerId === userId && to === wallet.address,
    ),
  )
  expect(await list(userId)).toMatchObject([{ state: 'final', txHash: expect.stringMatching(/^0x/) }])
  expect([published(deliveryStarted), published(deliveryFinal)]).toEqual([[], []])
  const withdrawalId = answer.json()._id
  expect(published(withdrawalRequested)).toMatchObject([{ withdrawalId, name: expect.any(String) }])
  expect(published(withdrawalFinal)).toMatchObject([
    {
      withdrawalId,
      userId,
      name: expect.any(String),
      wallet: wallet.address,
      image: expect.stringMatching(/^\/uploads\/nfts\//),
    },
  ])
  expect((await withdraw(userId, work)).json()).toMatchObject({ code: 'not_in_custody' })
})

test('a repeated request returns the same withdrawal', async () => {
  const { userId, work } = await givenWorkInCustody()
  chain.proxy.fail({ eth_sendRawTransaction: 'before' })
  const answers = await Promise.all([withdraw(userId, work), withdraw(userId, work), withdraw(userId, work)])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202])
  expect(new Set(answers.map((answer) => answer.json()._id)).size).toBe(1)
  chain.proxy.heal()
  await untilState(minting, answers[0]!.json()._id, 'final')
  expect(await list(userId)).toHaveLength(1)
})

test('a listed work cannot be withdrawn', async () => {
  const { userId, work } = await givenWorkInCustody()
  const at = new Date().toISOString()
  const listing = { itemId: work.itemId, token: work.token, at }
  await minting.consume(itemListed, { ...listing, sellerId: userId, priceCents: 500, listingVersion: 1 })
  expect((await withdraw(userId, work)).json()).toMatchObject({ code: 'listed' })
  await minting.consume(itemDelisted, { ...listing, reason: 'owner' })
  expect((await withdraw(userId, work)).statusCode).toBe(202)
})

test('a work with a signed delivery cannot be withdrawn', async () => {
  const { userId, work } = await givenWorkInCustody()
  await chain.mineEachTransaction(false)
  const order = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await untilState(minting, order.lineId, 'signed', { mining: false })
  const answer = await withdraw(userId, work)
  expect(answer.statusCode).toBe(409)
  expect(answer.json()).toMatchObject({ code: 'being_delivered' })
  await chain.mineEachTransaction(true)
  await untilState(minting, order.lineId, 'final')
})

test('a paid sale replaces a withdrawal that is not signed', async () => {
  const { userId, work } = await givenWorkInCustody()
  chain.proxy.fail({ '*': 'before' })
  const withdrawal = (await withdraw(userId, work)).json()
  const buyer = await chain.newWallet()
  const order = await authorise(minting, work, { wallet: buyer.address })
  chain.proxy.heal()
  await untilState(minting, order.lineId, 'final')
  expect(await chain.ownerOf(work.identifier)).toBe(buyer.address)
  expect(await list(userId)).toMatchObject([{ _id: withdrawal._id, state: 'failed' }])
})

test('only the owner withdraws, and only with a linked wallet', async () => {
  const { userId, work } = await givenWorkInCustody(false)
  const other = await givenAccount(minting)
  expect((await withdraw(other.userId, work)).json()).toMatchObject({ code: 'not_owner' })
  expect((await withdraw(userId, work)).json()).toMatchObject({
    code: 'wallet_required',
    message: 'Please connect your Metamask account.',
  })
  expect((await withdraw(userId, { identifier: '424242' })).statusCode).toBe(404)
  expect((await withdraw(userId, work, '0x12')).statusCode).toBe(404)
  expect((await minting.app.inject({ method: 'POST', url: '/api/withdrawals' })).statusCode).not.toBe(500)
  expect((await minting.app.inject('/api/withdrawals')).statusCode).toBe(401)
})

test('a bearer token alone withdraws nothing, and neither does a step-up token of another session or account', async () => {
  const { userId, work } = await givenWorkInCustody()
  const session = randomUUID()
  const { 'x-step-up': ofOtherSession } = steppedUp(userId)
  const { 'x-step-up': ofOtherAccount } = steppedUp(randomUUID(), session)
  const { authorization } = bearer(userId, session)
  for (const stepUp of [undefined, 'nonsense', authorization.slice('Bearer '.length), ofOtherSession, ofOtherAccount]) {
    const answer = await minting.app.inject({
      method: 'POST',
      url: '/api/withdrawals',
      headers: { authorization, ...(stepUp ? { 'x-step-up': stepUp } : {}) },
      payload: { contract: chain.collection, identifier: work.identifier },
    })
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'step_up_required'])
  }
  expect(await list(userId)).toEqual([])
})

test('a withdrawal needs a confirmed e-mail address, and waits after a change of the account', async () => {
  const { userId, work } = await givenWorkInCustody()
  const until = new Date(Date.now() + 3_600_000).toISOString()

  Object.assign(minting.withdrawer, { emailConfirmed: false })
  expect(await withdraw(userId, work).then((answer) => answer.json())).toMatchObject({ code: 'email_not_confirmed' })
  Object.assign(minting.withdrawer, { emailConfirmed: true, waitsUntil: until })
  const waiting = await withdraw(userId, work)
  expect(waiting.statusCode).toBe(409)
  expect(waiting.json()).toMatchObject({ code: 'withdrawal_waits', details: { until } })
  expect(await list(userId)).toEqual([])

  Object.assign(minting.withdrawer, { waitsUntil: null })
  expect((await withdraw(userId, work)).statusCode).toBe(202)
})

test('a withdrawal is published for the mail to the owner', async () => {
  const { wallet, userId, work } = await givenWorkInCustody()
  const { _id } = (await withdraw(userId, work)).json()
  await until(() =>
    published(withdrawalRequested).some(
      (event) => event.withdrawalId === _id && event.userId === userId && event.wallet === wallet.address,
    ),
  )
})

test('a suspended or frozen account withdraws nothing, and what is not signed yet is stopped', async () => {
  const { wallet, userId, work } = await givenWorkInCustody()
  chain.proxy.fail({ '*': 'before' })
  expect((await withdraw(userId, work)).statusCode).toBe(202)
  await givenAccount(minting, { userId, version: 2, admin: true, wallet: wallet.address, suspended: true })
  chain.proxy.heal()
  expect(await list(userId)).toMatchObject([{ state: 'failed' }])

  Object.assign(minting.withdrawer, { suspended: true })
  expect((await withdraw(userId, work)).json()).toMatchObject({ code: 'suspended' })
  Object.assign(minting.withdrawer, { suspended: false })
})

test.each(['is suspended', 'has its payment contested'])(
  'a signed withdrawal that no block has is stopped when its account %s',
  async (why) => {
    const { wallet, userId, work } = await givenWorkInCustody()
    await chain.mineEachTransaction(false)
    const { _id } = (await withdraw(userId, work)).json()
    await untilState(minting, _id, 'signed', { mining: false })
    if (why === 'is suspended')
      await givenAccount(minting, { userId, version: 2, admin: true, wallet: wallet.address, suspended: true })
    else await givenLine(work, userId).contest(1)
    await untilCancelSent(minting, _id)
    await untilState(minting, _id, 'failed')
    expect(await chain.ownerOf(work.identifier)).toBe(chain.delivery)
    expect(await list(userId)).toMatchObject([{ state: 'failed' }])
    await chain.mineEachTransaction(true)
  },
)

test('a withdrawal that auth allowed in the moment before the freeze is refused', async () => {
  const { wallet, userId, work } = await givenWorkInCustody()
  await givenAccount(minting, { userId, version: 2, admin: true, wallet: wallet.address, suspended: true })
  const answer = await withdraw(userId, work)
  expect([answer.statusCode, answer.json().code]).toEqual([403, 'suspended'])
  expect(await list(userId)).toEqual([])
})

test('a freeze that is consumed while a withdrawal is being stored stops it', async () => {
  const { wallet, userId, work } = await givenWorkInCustody()
  chain.proxy.fail({ '*': 'before' })
  const running = await minting.db.startTransaction().execute()
  await lockToken(running, work.token)
  const withdrawing = withdraw(userId, work)
  await waitForBlockedQuery(minting.db)
  const freezing = givenAccount(minting, { userId, version: 2, admin: true, wallet: wallet.address, suspended: true })
  await waitForBlockedQuery(minting.db, { count: 2 })
  await running.commit().execute()
  expect((await withdrawing).statusCode).toBe(202)
  await freezing
  chain.proxy.heal()
  expect(await list(userId)).toMatchObject([{ state: 'failed' }])
})

test.each(['cancelled', 'reverted'] as const)(
  'a withdrawal whose transaction is %s after a freeze is not signed again',
  async (outcome) => {
    const { wallet, userId, work } = await givenWorkInCustody()
    const second = await givenWork(minting, { creatorId: userId })
    await chain.mineEachTransaction(false)
    chain.proxy.fail({ '*': 'before' })
    const ids = [(await withdraw(userId, work)).json()._id, (await withdraw(userId, second)).json()._id]
    chain.proxy.heal()
    for (const id of ids) await untilState(minting, id, 'signed', { mining: false })
    await givenAccount(minting, { userId, version: 2, admin: true, wallet: wallet.address, suspended: true })

    const own = minting.db.selectFrom('delivery').select(['state', 'transactionId']).where('lineId', 'in', ids)
    const { transactionId } = await own.executeTakeFirstOrThrow()
    // One batch, also when the worker signed them one by one: a single one that reverts fails anyway.
    await minting.db.updateTable('delivery').set({ transactionId }).where('lineId', 'in', ids).execute()
    await minting.db.transaction().execute((trx) => deliveryWork[outcome](trx, transactionId!))

    expect((await own.execute()).map(({ state }) => state)).toEqual(['failed', 'failed'])
    await chain.mineEachTransaction(true)
  },
)

/** A line with which the owner bought the work. */
function givenLine(work: Work, buyerId: string) {
  const { deliverBy: _deliverBy, ...line } = orderOf(work, { ...custody, buyerId })
  const at = (second: number) => new Date(Date.UTC(2026, 3, 1, 12, 0, second)).toISOString()
  return {
    contest: (second: number) => minting.consume(orderLineContested, { ...line, at: at(second) }),
    clear: (second: number) => minting.consume(orderLineCleared, { ...line, at: at(second) }),
  }
}

test('a contested work is withdrawn only once it is cleared; late events change nothing', async () => {
  const { userId, work } = await givenWorkInCustody()
  const { contest, clear } = givenLine(work, userId)
  await contest(1)
  await contest(1)
  const refused = await withdraw(userId, work)
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'work_contested'])
  await clear(3)
  await contest(2)
  expect((await withdraw(userId, work)).statusCode).toBe(202)
})

test('a payment of a former owner does not hold a work back', async () => {
  const { userId, work } = await givenWorkInCustody()
  await givenLine(work, randomUUID()).contest(1)
  expect((await withdraw(userId, work)).statusCode).toBe(202)
})

test('a withdrawal that is not signed when the work is contested is stopped, and a cancelled one is not signed again', async () => {
  const { userId, work } = await givenWorkInCustody()
  const second = await givenWork(minting, { creatorId: userId })
  chain.proxy.fail({ '*': 'before' })
  expect((await withdraw(userId, work)).statusCode).toBe(202)
  await givenLine(work, userId).contest(1)
  chain.proxy.heal()
  expect(await list(userId)).toMatchObject([{ state: 'failed' }])

  await chain.mineEachTransaction(false)
  const { _id } = (await withdraw(userId, second)).json()
  await untilState(minting, _id, 'signed', { mining: false })
  await givenLine(second, userId).contest(1)
  const signed = minting.db
    .selectFrom('delivery')
    .select(['state', 'reason', 'transactionId'])
    .where('lineId', '=', _id)
  const { transactionId } = await signed.executeTakeFirstOrThrow()
  await minting.db.transaction().execute((trx) => deliveryWork.cancelled(trx, transactionId!))
  expect(await signed.executeTakeFirstOrThrow()).toMatchObject({ state: 'failed', reason: 'contested' })
  await chain.mineEachTransaction(true)
})

test('a work that was bought into custody is withdrawn CUSTODY_HOLD_HOURS after its capture', async () => {
  const { userId } = await givenWorkInCustody()
  const bought = await givenWork(minting)
  const line = await authorise(minting, bought, { ...custody, buyerId: userId })
  await untilState(minting, line.lineId, 'final')
  minting.config.custodyHoldHours = 24
  try {
    const uncaptured = await withdraw(userId, bought)
    expect([uncaptured.statusCode, uncaptured.json()]).toMatchObject([409, { code: 'custody_hold', details: {} }])
    const { deliverBy: _deliverBy, wallet: _wallet, ...rest } = line
    const shares = { sellerCents: 4_500, commissionCents: 500, royaltyCents: 0, txHash: '0x12' }
    const captured = (hoursAgo: number) => ({
      ...rest,
      ...shares,
      at: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
    })
    const completed = captured(23)
    await minting.consume(orderLineCompleted, completed)
    await minting.consume(orderLineCompleted, captured(22))
    const until = new Date(Date.parse(completed.at) + 24 * 3_600_000).toISOString()
    expect((await withdraw(userId, bought)).json()).toMatchObject({ code: 'custody_hold', details: { until } })

    minting.config.custodyHoldHours = 22
    expect((await withdraw(userId, bought)).statusCode).toBe(202)
  } finally {
    minting.config.custodyHoldHours = 0
  }
})
