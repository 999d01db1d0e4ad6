import { deliverCall } from '@nifty/contracts/calls'
import { keyOf } from '@nifty/contracts/keys'
import { deliveryFailed, deliveryFinal, deliveryStarted } from '@nifty/events/minting'
import { orderLineAuthorised, orderLineReleased } from '@nifty/events/payments'
import { expect, test } from 'vitest'
import {
  authorise,
  deliveryOf,
  givenAccount,
  givenWork,
  orderOf,
  submitPermit,
  untilState,
} from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { transitions } from './delivery.ts'

const minting = await startTestMinting()
const { chain, db, published, until } = minting

const failureOf = (lineId: string) => until(() => published(deliveryFailed).find((failed) => failed.lineId === lineId))

/** A work in the wallet of its creator, who lets the store take it. */
async function givenPermittedWork() {
  const wallet = await chain.newWallet()
  const { userId } = await givenAccount(minting, { wallet: wallet.address, walletProven: true, admin: true })
  const work = await givenWork(minting, { creatorId: userId, wallet: wallet.address })
  expect((await submitPermit(minting, work, userId, wallet)).statusCode).toBe(200)
  return { work, wallet, userId }
}

const moveAway = async ({ work, wallet }: Awaited<ReturnType<typeof givenPermittedWork>>) => {
  const friend = await chain.newWallet()
  const collection = chain.collectionOf.connect(wallet) as typeof chain.collectionOf
  return collection.transferFrom!(wallet.address, friend.address, BigInt(work.identifier))
}

test('a work in its creator’s wallet is delivered from that wallet', async () => {
  const { work } = await givenPermittedWork()
  const buyer = await chain.newWallet()
  const order = await authorise(minting, work, { wallet: buyer.address })
  await untilState(minting, order.lineId, 'final')
  expect(await chain.ownerOf(work.identifier)).toBe(buyer.address)
})

test('a token transferred away before signing: the line fails without delivery-started', async () => {
  const scene = await givenPermittedWork()
  await (await moveAway(scene)).wait()
  const order = await authorise(minting, scene.work, { wallet: (await chain.newWallet()).address })
  expect(await failureOf(order.lineId)).toMatchObject({ reason: 'not_owner', token: scene.work.token })
  expect(published(deliveryStarted).some(({ lineId }) => lineId === order.lineId)).toBe(false)
})

test('a token transferred away after signing: the delivery reverts, and the line fails', async () => {
  const scene = await givenPermittedWork()
  await chain.mineEachTransaction(false)
  chain.proxy.fail({ eth_sendRawTransaction: 'before' })
  const order = await authorise(minting, scene.work, { wallet: (await chain.newWallet()).address })
  await untilState(minting, order.lineId, 'signed', { mining: false })
  await moveAway(scene)
  await chain.mine()
  chain.proxy.heal()
  await untilState(minting, order.lineId, 'failed')
  await chain.mineEachTransaction(true)

  expect(await failureOf(order.lineId)).toMatchObject({ reason: 'reverted' })
  expect(published(deliveryFinal).some(({ lineId }) => lineId === order.lineId)).toBe(false)
})

test('a line that the chain has delivered already becomes final without a transaction', async () => {
  const work = await givenWork(minting)
  const buyer = await chain.newWallet()
  const order = orderOf(work, { wallet: buyer.address })
  const { account } = await db
    .selectFrom('custodyAccount')
    .select('account')
    .where('userId', '=', work.creatorId)
    .executeTakeFirstOrThrow()
  const line = { lineId: keyOf(order.lineId), token: chain.collection, id: BigInt(work.identifier), to: buyer.address }
  const second = await chain.newWallet()
  await chain.grantSigner(second.address)
  await second.sendTransaction(deliverCall(chain.delivery, { ...line, from: { account: keyOf(account) } }))
  await chain.mine(5)
  await until(async () => {
    const token = await db.selectFrom('token').select('wallet').where('token', '=', work.token).executeTakeFirst()
    return token?.wallet === buyer.address.toLowerCase()
  })

  await minting.consume(orderLineAuthorised, order)
  await untilState(minting, order.lineId, 'final')
  expect((await deliveryOf(minting, order.lineId)).transactionId).toBeNull()
  expect(await until(() => published(deliveryFinal).find(({ lineId }) => lineId === order.lineId))).toMatchObject({
    wallet: buyer.address,
  })
})

test('forbidden recipients fail with recipient_refuses', async () => {
  const work = await givenWork(minting)
  for (const wallet of [chain.delivery, chain.collection, chain.signer.address, `0x${'0'.repeat(40)}`]) {
    const order = await authorise(minting, work, { wallet })
    expect(await failureOf(order.lineId)).toMatchObject({ reason: 'recipient_refuses' })
  }
})

test('an order line released before its authorisation never starts', async () => {
  const work = await givenWork(minting)
  const { address: wallet } = await chain.newWallet()
  const { deliverBy, wallet: _, ...line } = orderOf(work, { wallet })
  await minting.consume(orderLineReleased, { ...line, reason: 'expired', moneyWasHeld: false })
  await authorise(minting, work, { wallet, lineId: line.lineId })
  expect((await deliveryOf(minting, line.lineId)).state).toBe('stopped')

  const next = await authorise(minting, work, { wallet })
  await untilState(minting, next.lineId, 'final')
  expect((await deliveryOf(minting, line.lineId)).state).toBe('stopped')
})

test('the database refuses every transition that is not in the table', async () => {
  const states = Object.keys(transitions) as (keyof typeof transitions)[]
  const work = await givenWork(minting)
  const { address } = await chain.newWallet()
  const { transactionId } = await db.selectFrom('mint').select('transactionId').limit(1).executeTakeFirstOrThrow()
  for (const from of states)
    for (const to of states.filter((state) => state !== from)) {
      const { lineId, orderId, itemId, token, buyerId, deliverBy, sellerId } = orderOf(work, { wallet: address })
      const facts = (state: typeof from) => ({
        state,
        transactionId: state === 'signed' || state === 'final' ? transactionId : null,
        reason: state === 'failed' ? 'deadline' : null,
        block: state === 'final' ? 1 : null,
        nextAttemptAt: new Date('2100-01-01'),
      })
      const row = { lineId, kind: 'sale', orderId, itemId, token, buyerId, fromId: sellerId } as const
      const rest = { wallet: address.toLowerCase(), deliverBy, note: null, txHash: null }
      await db
        .insertInto('delivery')
        .values({ ...row, ...rest, ...facts(from), deliverBy: new Date(deliverBy) })
        .execute()
      const change = db.updateTable('delivery').set(facts(to)).where('lineId', '=', lineId).execute()
      const went = await change.then(
        () => true,
        () => false,
      )
      expect(`${from} to ${to}: ${went}`).toBe(`${from} to ${to}: ${transitions[from].includes(to)}`)
      await db.deleteFrom('delivery').where('lineId', '=', lineId).execute()
    }
})
