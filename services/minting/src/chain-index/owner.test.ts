import { accountDeleted } from '@nifty/events/auth'
import { deliveryFinal, tokenMoved } from '@nifty/events/minting'
import type { Wallet } from 'ethers'
import { expect, test } from 'vitest'
import { keyOf } from '../chain/keys.ts'
import { authorise, givenAccount, givenWork, untilState, type Work } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing.ts'

const minting = await startTestMinting()
const { chain, said, until, db } = minting

const last = (token: string) => said(tokenMoved).findLast((moved) => moved.token === token)!
const movesOf = (token: string) => said(tokenMoved).filter((moved) => moved.token === token)
const untilOwner = (work: Work, ownerId: string | null, wallet: string | null) =>
  until(() => last(work.token).ownerId === ownerId && last(work.token).wallet === wallet)
const collectionOf = (wallet: Wallet) => chain.collectionOf.connect(wallet) as typeof chain.collectionOf

async function givenSoldWork() {
  const work = await givenWork(minting)
  const buyer = await chain.newWallet()
  const order = await authorise(minting, work, { wallet: buyer.address })
  await untilState(minting, order.lineId, 'final')
  await until(() => said(deliveryFinal).some(({ lineId }) => lineId === order.lineId))
  return { work, buyer, order }
}

test('the buyer owns what was delivered, also without having proven the wallet', async () => {
  const { work, buyer, order } = await givenSoldWork()
  await untilOwner(work, order.buyerId, buyer.address)
})

test('a token that moved to a wallet nobody has proven is nobody’s, until somebody proves it', async () => {
  const { work, buyer } = await givenSoldWork()
  const friend = await chain.newWallet()
  await (await collectionOf(buyer).transferFrom!(buyer.address, friend.address, work.identifier)).wait()
  await untilOwner(work, null, friend.address)

  const unproven = await givenAccount(minting, { wallet: friend.address, walletProven: false })
  expect(last(work.token).ownerId).toBeNull()
  const before = last(work.token).position
  await givenAccount(minting, { ...unproven, version: 2, walletProven: true })
  await untilOwner(work, unproven.userId, friend.address)
  expect(last(work.token).position).toBeGreaterThan(before)

  await givenAccount(minting, { ...unproven, version: 3, wallet: null, walletProven: false })
  await untilOwner(work, null, friend.address)
})

test('who proves a wallet owns what lies in it, whoever bought it there', async () => {
  const { work, buyer } = await givenSoldWork()
  const { userId } = await givenAccount(minting, { wallet: buyer.address, walletProven: true })
  await untilOwner(work, userId, buyer.address)
})

test('an older word of an account changes nothing', async () => {
  const { work, buyer, order } = await givenSoldWork()
  const account = await givenAccount(minting, { version: 5 })
  await givenAccount(minting, { ...account, version: 4, wallet: buyer.address, walletProven: true })
  expect(last(work.token).ownerId).toBe(order.buyerId)
})

test('a token that its owner brings back into custody is theirs there', async () => {
  const { work, buyer } = await givenSoldWork()
  const { userId } = await givenAccount(minting)
  const { account } = await db
    .insertInto('custodyAccount')
    .values({ userId })
    .returning('account')
    .executeTakeFirstOrThrow()
  const bring = collectionOf(buyer)['safeTransferFrom(address,address,uint256,bytes)']
  await (await bring!(buyer.address, chain.delivery, work.identifier, keyOf(account))).wait()
  await untilOwner(work, userId, null)
})

test('what a deleted account held in a wallet is nobody’s in the store', async () => {
  const { work, buyer, order } = await givenSoldWork()
  const at = new Date().toISOString()
  const person = { username: '@ada', email: 'ada@nifty.test', firstName: 'Ada', at }
  await minting.hear(accountDeleted, { ...person, userId: order.buyerId })
  await untilOwner(work, null, buyer.address)
})

test('moves while the service is down are told in their order when it is back, each once', async () => {
  const { work, buyer, order } = await givenSoldWork()
  await untilOwner(work, order.buyerId, buyer.address)
  const told = movesOf(work.token).length
  await minting.stop()
  const [one, two] = [await chain.newWallet(), await chain.newWallet()]
  await (await collectionOf(buyer).transferFrom!(buyer.address, one.address, work.identifier)).wait()
  await (await collectionOf(one).transferFrom!(one.address, two.address, work.identifier)).wait()
  await chain.mine(4)
  await minting.start()
  await untilOwner(work, null, two.address)
  await minting.stop()
  await minting.start()
  const asked = chain.proxy.asked.length
  await until(() => chain.proxy.asked.length > asked + 20)

  const moves = movesOf(work.token).slice(told)
  expect(moves.map(({ wallet }) => wallet)).toEqual([one.address, two.address])
  expect(moves[0]!.position).toBeLessThan(moves[1]!.position)
})

test('a move that is not final is not told, and one that a reorganisation takes back never is', async () => {
  const { work, buyer } = await givenSoldWork()
  const told = movesOf(work.token).length
  const friend = await chain.newWallet()
  await (await collectionOf(buyer).transferFrom!(buyer.address, friend.address, work.identifier)).wait()
  await chain.provider.send('anvil_reorg', [1, []])
  await chain.mine(6)
  const asked = chain.proxy.asked.length
  await until(() => chain.proxy.asked.length > asked + 20)
  expect(movesOf(work.token)).toHaveLength(told)
})

test('the index read again from the first block says nothing new', async () => {
  await givenSoldWork()
  const told = minting.bus.published.length
  await minting.stop()
  await db.updateTable('chainCursor').set({ block: -1, blockHash: null }).execute()
  await minting.start()
  await until(async () => ((await minting.ask('/internal/ops/status')).body.index.block ?? -1) > 0)
  const asked = chain.proxy.asked.length
  await until(() => chain.proxy.asked.length > asked + 20, { mining: false })
  expect(minting.bus.published.slice(told)).toEqual([])
})
