import { randomUUID } from 'node:crypto'
import { keyOf } from '@nifty/contracts/keys'
import { deliveryFinal, tokenMoved } from '@nifty/events/minting'
import { afterEach, expect, test } from 'vitest'
import {
  authorise,
  custody,
  deliveryOf,
  givenAccount,
  givenWork,
  orderOf,
  submitPermit,
  untilIndexed,
  untilState,
} from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { givenOtherSigner } from '../testing/other-signer.ts'
import { acceptDelivery } from './delivery.actions.ts'

const minting = await startTestMinting()
const { chain, db, published, until } = minting
const other = await givenOtherSigner(minting)

afterEach(() => chain.proxy.heal())

const accountOf = async (userId: string) =>
  (await db.selectFrom('custodyAccount').select('account').where('userId', '=', userId).executeTakeFirst())?.account
const beneficiaryOf = ({ identifier }: { identifier: string }): Promise<string> =>
  chain.deliveryOf.beneficiaryOf!(chain.collection, identifier)
const stop = async (lineId: string, keepFor?: string) => {
  const body = { orderId: randomUUID(), reason: 'cancelled', keepFor }
  return (await minting.callInternal(`/internal/deliveries/${lineId}/stop`, body)).body
}

async function expectKept(
  work: { token: string; identifier: string },
  { lineId, buyerId }: { lineId: string; buyerId: string },
) {
  await untilState(minting, lineId, 'final')
  await until(() => published(deliveryFinal).some((final) => final.lineId === lineId))
  expect(await chain.ownerOf(work.identifier)).toBe(chain.delivery)
  expect(await beneficiaryOf(work)).toBe(keyOf((await accountOf(buyerId))!))
  const moves = published(tokenMoved).filter(({ token }) => token === work.token)
  expect(moves.at(-1)).toMatchObject({ ownerId: buyerId, wallet: null })
  const final = published(deliveryFinal).find((each) => each.lineId === lineId)
  expect(final).toMatchObject({ buyerId, wallet: chain.delivery })
}

test('a work in custody is delivered into custody for its buyer, who withdraws it later', async () => {
  const work = await givenWork(minting)
  const buyer = await givenAccount(minting)
  const line = await authorise(minting, work, { ...custody, buyerId: buyer.userId })
  await expectKept(work, line)
  const { txHash } = await deliveryOf(minting, line.lineId)
  expect(await stop(line.lineId)).toEqual({
    stopped: false,
    delivered: { token: work.token, wallet: null, keptFor: buyer.userId, txHash },
  })

  const wallet = await chain.newWallet()
  await givenAccount(minting, { userId: buyer.userId, version: 2, wallet: wallet.address })
  const { statusCode, ...answer } = await minting.app.inject({
    method: 'POST',
    url: '/api/withdrawals',
    headers: minting.steppedUp(buyer.userId),
    payload: { contract: chain.collection, identifier: work.identifier },
  })
  expect(statusCode).toBe(202)
  await untilState(minting, answer.json()._id, 'final')
  expect(await chain.ownerOf(work.identifier)).toBe(wallet.address)

  // As in a database restored from a backup before the order: the account is read from the chain.
  await db.deleteFrom('delivery').where('lineId', '=', line.lineId).execute()
  await until(async () => (await stop(line.lineId)).delivered !== undefined)
  expect(await stop(line.lineId)).toMatchObject({ delivered: { wallet: null, keptFor: buyer.userId, txHash } })
})

/** As in a database restored from a backup before the buyer's first work: neither the line nor the account is known. */
async function loseCustody(line: { lineId: string; buyerId: string }, token: string) {
  const { txHash } = await deliveryOf(minting, line.lineId)
  const account = (await accountOf(line.buyerId))!
  await db.deleteFrom('delivery').where('lineId', '=', line.lineId).execute()
  await db.deleteFrom('custodyAccount').where('userId', '=', line.buyerId).execute()
  await db.updateTable('token').set({ ownerId: null, deliveredTo: null }).where('token', '=', token).execute()
  await db
    .insertInto('unexpectedDelivery')
    .values({
      lineKey: keyOf(line.lineId),
      token,
      recipient: chain.delivery,
      account: keyOf(account),
      txHash: txHash!,
      block: 1,
      at: new Date(),
    })
    .execute()
  minting.messages.length = 0
  return account
}

const ownersOf = (token: string) =>
  published(tokenMoved)
    .filter((moved) => moved.token === token)
    .map(({ ownerId }) => ownerId)

test('after a restore the custody account of a delivered line is stored when the order is consumed again', async () => {
  const work = await givenWork(minting)
  const line = await authorise(minting, work, custody)
  await expectKept(work, line)
  const account = await loseCustody(line, work.token)
  const { deliveries } = (await minting.callInternal('/internal/unexpected-tokens')).body
  expect(deliveries).toContainEqual(expect.objectContaining({ lineKey: keyOf(line.lineId), account: keyOf(account) }))

  await authorise(minting, work, { ...custody, lineId: line.lineId, buyerId: line.buyerId })
  await until(() => published(deliveryFinal).some(({ lineId }) => lineId === line.lineId))
  expect(await accountOf(line.buyerId)).toBe(account)
  expect(ownersOf(work.token)).toEqual([line.buyerId])
})

test('after a restore it is stored when the line is stopped, for the buyer only', async () => {
  const work = await givenWork(minting)
  const line = await authorise(minting, work, custody)
  await expectKept(work, line)
  const account = await loseCustody(line, work.token)

  await until(async () => (await stop(line.lineId, line.buyerId)).delivered !== undefined)
  expect((await stop(line.lineId, line.buyerId)).delivered).toMatchObject({ wallet: null, keptFor: line.buyerId })
  expect((await stop(line.lineId, randomUUID())).delivered).toMatchObject({ keptFor: line.buyerId })
  expect(await accountOf(line.buyerId)).toBe(account)
  expect(ownersOf(work.token)).toEqual([line.buyerId])
})

test('a work in the seller’s wallet is delivered into custody, under the seller’s permit', async () => {
  const wallet = await chain.newWallet()
  const { userId } = await givenAccount(minting, { admin: true, wallet: wallet.address, walletProven: true })
  const work = await givenWork(minting, { creatorId: userId, wallet: wallet.address })
  expect((await submitPermit(minting, work, userId, wallet)).statusCode).toBe(200)
  await expectKept(work, await authorise(minting, work, custody))
})

test('deliveries into custody and to wallets share a transaction', async () => {
  const works = [await givenWork(minting), await givenWork(minting)]
  await minting.stop()
  const lines = [
    // The other creator has a custody account already.
    orderOf(works[0]!, { ...custody, buyerId: works[1]!.creatorId }),
    orderOf(works[1]!, { wallet: (await chain.newWallet()).address }),
  ] as const
  for (const line of lines) await db.transaction().execute((trx) => acceptDelivery(trx, line, []))
  await minting.start()
  await expectKept(works[0]!, lines[0])
  await untilState(minting, lines[1].lineId, 'final')
  const hashes = await Promise.all(lines.map(async ({ lineId }) => (await deliveryOf(minting, lineId)).txHash))
  expect(new Set(hashes).size).toBe(1)
})

test('a delivery of the line into custody for another account does not finish it, one for the buyer does', async () => {
  const works = [await givenWork(minting), await givenWork(minting)] as const
  chain.proxy.fail({ eth_estimateGas: 'before' })
  const [one, two] = [await authorise(minting, works[0], custody), await authorise(minting, works[1], custody)]
  await until(async () => (await deliveryOf(minting, one.lineId)).custodyAccount)
  const wrong = await other.deliver(one, { account: keyOf(randomUUID()) })
  const right = await other.deliver(two, { account: keyOf(await until(() => accountOf(two.buyerId))) })
  await Promise.all([wrong.wait(), right.wait()])
  await chain.mine(5)
  await until(async () => (await deliveryOf(minting, two.lineId)).state === 'final')
  expect((await deliveryOf(minting, one.lineId)).state).toBe('waiting')
  expect(published(deliveryFinal).some(({ lineId }) => lineId === one.lineId)).toBe(false)
})

test('a delivery to a wallet does not finish a line into custody', async () => {
  const work = await givenWork(minting)
  chain.proxy.fail({ eth_estimateGas: 'before' })
  const line = await authorise(minting, work, custody)
  const sent = await other.deliver(line, (await chain.newWallet()).address)
  const { blockNumber } = (await sent.wait())!
  await untilIndexed(minting, blockNumber)
  expect((await deliveryOf(minting, line.lineId)).state).toBe('waiting')
})

test('whether a token can be delivered into custody needs no wallet', async () => {
  const work = await givenWork(minting)
  const tokens = [{ token: work.token, ownerId: work.creatorId }]
  const { body } = await minting.callInternal('/internal/deliverable', { to: null, tokens })
  expect(body).toMatchObject({ tokens: [{ deliverable: true, code: null }] })
})
