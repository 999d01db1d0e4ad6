import { randomUUID } from 'node:crypto'
import { type DeliveryLine, deliverCall } from '@nifty/contracts/calls'
import { keyOf } from '@nifty/contracts/keys'
import { permitTypedData } from '@nifty/contracts/permit'
import { accountDeleted } from '@nifty/events/auth'
import { deliveryFinal, tokenMoved } from '@nifty/events/minting'
import type { Wallet } from 'ethers'
import { expect, test } from 'vitest'
import { ensureCustodyAccount } from '../accounts/account.store.ts'
import { openTransactions } from '../chain-transactions/chain-transaction.store.ts'
import { authorise, givenAccount, givenWork, untilState, type Work } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'

const minting = await startTestMinting()
const { chain, published, until, db } = minting
/** A signer of another process. */
const other = await chain.newWallet()
await chain.grantSigner(other.address)

const last = (token: string) => published(tokenMoved).findLast((moved) => moved.token === token)!
const movesOf = (token: string) => published(tokenMoved).filter((moved) => moved.token === token)
const untilOwner = (work: Work, ownerId: string | null, wallet: string | null) =>
  until(() => last(work.token).ownerId === ownerId && last(work.token).wallet === wallet)
const collectionOf = (wallet: Wallet) => chain.collectionOf.connect(wallet) as typeof chain.collectionOf

async function givenSoldWork() {
  const work = await givenWork(minting)
  const buyer = await chain.newWallet()
  const order = await authorise(minting, work, { wallet: buyer.address })
  await untilState(minting, order.lineId, 'final')
  await until(() => published(deliveryFinal).some(({ lineId }) => lineId === order.lineId))
  return { work, buyer, order }
}

test('the buyer owns a delivered token, also without a proven wallet', async () => {
  const { work, buyer, order } = await givenSoldWork()
  await untilOwner(work, order.buyerId, buyer.address)
})

test('a token in an unproven wallet has no owner until an account proves the wallet', async () => {
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

test('the account that proves a wallet owns its tokens, also those delivered to another buyer', async () => {
  const { work, buyer } = await givenSoldWork()
  const { userId } = await givenAccount(minting, { wallet: buyer.address, walletProven: true })
  await untilOwner(work, userId, buyer.address)
})

test('an older version of an account changes nothing', async () => {
  const { work, buyer, order } = await givenSoldWork()
  const account = await givenAccount(minting, { version: 5 })
  await givenAccount(minting, { ...account, version: 4, wallet: buyer.address, walletProven: true })
  expect(last(work.token).ownerId).toBe(order.buyerId)
})

/** Moves a token into custody by `deliverToCustody`. */
async function deliverToCustody(work: Work, from: DeliveryLine['from']) {
  const { userId } = await givenAccount(minting)
  const account = await custodyAccountOf(userId)
  const line = { lineId: keyOf(randomUUID()), token: chain.collection, id: BigInt(work.identifier), from }
  await other.sendTransaction(deliverCall(chain.delivery, { ...line, to: { account } }))
  return userId
}

async function custodyAccountOf(userId: string) {
  const account = await db.transaction().execute((trx) => ensureCustodyAccount(trx, userId))
  return keyOf(account)
}

test('a token that is delivered inside custody belongs to the account of its new beneficiary', async () => {
  const work = await givenWork(minting)
  const buyerId = await deliverToCustody(work, { account: await custodyAccountOf(work.creatorId) })
  await untilOwner(work, buyerId, null)
  expect(movesOf(work.token)).toHaveLength(2)
})

test('a token that is delivered out of a wallet into custody belongs to the account of its beneficiary', async () => {
  const { work, buyer, order } = await givenSoldWork()
  await untilOwner(work, order.buyerId, buyer.address)
  const tokenId = BigInt(work.identifier)
  const deadline = (await chain.provider.getBlock('latest'))!.timestamp + 3600
  const nonce: bigint = await chain.collectionOf.nonces!(tokenId)
  const { collection, delivery } = chain
  const { domain, types, message } = permitTypedData({
    name: chain.name,
    chainId: 31337,
    collection,
    delivery,
    tokenId,
    nonce,
    deadline,
  })
  const signature = await buyer.signTypedData(domain, { Permit: types.Permit }, message)
  const buyerId = await deliverToCustody(work, { wallet: buyer.address, permit: { deadline, signature } })
  await untilOwner(work, buyerId, null)
})

test('tokens in the wallet of a deleted account have no owner', async () => {
  const { work, buyer, order } = await givenSoldWork()
  const at = new Date().toISOString()
  const person = { username: '@ada', email: 'ada@nifty.test', firstName: 'Ada', at }
  await minting.consume(accountDeleted, { ...person, userId: order.buyerId })
  await untilOwner(work, null, buyer.address)
})

test('transfers during a downtime are published after the restart, in order, each once', async () => {
  const { work, buyer, order } = await givenSoldWork()
  await untilOwner(work, order.buyerId, buyer.address)
  const before = movesOf(work.token).length
  await minting.stop()
  const [one, two] = [await chain.newWallet(), await chain.newWallet()]
  await (await collectionOf(buyer).transferFrom!(buyer.address, one.address, work.identifier)).wait()
  await (await collectionOf(one).transferFrom!(one.address, two.address, work.identifier)).wait()
  await chain.mine(4)
  await minting.start()
  await untilOwner(work, null, two.address)
  await minting.stop()
  await minting.start()
  await minting.untilPolled(20)

  const moves = movesOf(work.token).slice(before)
  expect(moves.map(({ wallet }) => wallet)).toEqual([one.address, two.address])
  expect(moves[0]!.position).toBeLessThan(moves[1]!.position)
})

test('a transfer is published when it is final, and never when a reorg removed it', async () => {
  const { work, buyer } = await givenSoldWork()
  const before = movesOf(work.token).length
  const friend = await chain.newWallet()
  await (await collectionOf(buyer).transferFrom!(buyer.address, friend.address, work.identifier)).wait()
  await chain.provider.send('anvil_reorg', [1, []])
  await chain.mine(6)
  await minting.untilPolled(20)
  expect(movesOf(work.token)).toHaveLength(before)
})

test('reindexing from the first block publishes no event', async () => {
  await givenSoldWork()
  const before = minting.messages.length
  await minting.stop()
  await db.updateTable('chainCursor').set({ block: -1, blockHash: null }).execute()
  await minting.start()
  await until(async () => ((await minting.callInternal('/internal/ops/status')).body.index.block ?? -1) > 0)
  await minting.untilPolled(20, { mining: false })
  expect(minting.messages.slice(before)).toEqual([])
})

test('a move whose logs the node omits is not passed over', async () => {
  const { work, buyer } = await givenSoldWork()
  const friend = await chain.newWallet()
  chain.proxy.respond({ eth_getLogs: [] })
  await (await collectionOf(buyer).transferFrom!(buyer.address, friend.address, work.identifier)).wait()
  const block = await chain.provider.getBlockNumber()
  await chain.mine(20)
  await minting.untilPolled(60, { mining: false })
  const cursor = await db.selectFrom('chainCursor').select('block').executeTakeFirstOrThrow()
  expect(cursor.block).toBeLessThan(block)

  chain.proxy.heal()
  await untilOwner(work, null, friend.address)
})

test.each(['a wallet', 'custody'] as const)(
  'a move of %s that the index has missed is found by the daily check',
  async (from) => {
    const { work, buyer } = from === 'custody' ? { work: await givenWork(minting), buyer: null } : await givenSoldWork()
    const friend = await chain.newWallet()
    const account =
      from === 'custody' ? await db.transaction().execute((trx) => ensureCustodyAccount(trx, randomUUID())) : ''
    const cursor = db.selectFrom('chainCursor').select('block')
    await until(async () => (await openTransactions(db, chain.signer.address)).length === 0)
    await minting.stop()
    if (buyer) await (await collectionOf(buyer).transferFrom!(buyer.address, friend.address, work.identifier)).wait()
    else {
      const { account: held } = await db
        .selectFrom('custodyAccount')
        .select('account')
        .where('userId', '=', work.creatorId)
        .executeTakeFirstOrThrow()
      const line = { lineId: keyOf(randomUUID()), token: chain.collection, id: BigInt(work.identifier) }
      const call = deliverCall(chain.delivery, {
        ...line,
        to: { account: keyOf(account) },
        from: { account: keyOf(held) },
      })
      await (await other.sendTransaction(call)).wait()
    }
    await chain.mine(20)
    const passed = (await chain.provider.getBlockNumber()) - 5
    await db.updateTable('chainCursor').set({ block: passed, blockHash: null }).execute()
    await db.deleteFrom('tokenCheck').execute()
    await minting.start()

    if (buyer) await untilOwner(work, null, friend.address)
    else
      await until(
        async () =>
          (
            await db
              .selectFrom('token')
              .select('custodyAccount')
              .where('token', '=', work.token)
              .executeTakeFirstOrThrow()
          ).custodyAccount === account,
      )
    expect((await cursor.executeTakeFirstOrThrow()).block).toBeGreaterThanOrEqual(passed)
  },
)
