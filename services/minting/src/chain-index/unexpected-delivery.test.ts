import { keyOf } from '@nifty/contracts/keys'
import { deliveryFinal, tokenMoved } from '@nifty/events/minting'
import { orderLineAuthorised } from '@nifty/events/payments'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { noDelivery } from '../deliveries/delivery.store.ts'
import { authorise, custody, deliveryOf, givenAccount, givenWork, orderOf, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { givenOtherSigner } from '../testing/other-signer.ts'

const minting = await startTestMinting()
const { chain, db, published, until } = minting
const other = await givenOtherSigner(minting)

afterEach(() => chain.proxy.heal())

const accountOf = async (userId: string) =>
  (await db.selectFrom('custodyAccount').select('account').where('userId', '=', userId).executeTakeFirst())?.account

const ownersOf = (token: string) => published(tokenMoved).filter((moved) => moved.token === token)

/** Halts the signers while `run` runs: nothing is signed, and lines are finished from the chain alone. */
async function whileHalted(run: () => Promise<void>) {
  await sql`update signer set halted_reason = 'database restored', halted_at = now()`.execute(db)
  await run()
  await sql`update signer set halted_reason = null, halted_at = null`.execute(db)
}

test('a line into custody whose order is consumed before the index passes its delivery keeps its account', async () => {
  const work = await givenWork(minting)
  const backup = {
    token: await db.selectFrom('token').selectAll().where('token', '=', work.token).executeTakeFirstOrThrow(),
    cursor: await db.selectFrom('chainCursor').selectAll().executeTakeFirstOrThrow(),
  }
  const line = await authorise(minting, work, custody)
  await untilState(minting, line.lineId, 'final')
  const account = (await accountOf(line.buyerId))!
  await minting.stop()
  await db.deleteFrom('delivery').where('lineId', '=', line.lineId).execute()
  await db.deleteFrom('custodyAccount').where('userId', '=', line.buyerId).execute()
  await db.updateTable('token').set(backup.token).where('token', '=', work.token).execute()
  await db.updateTable('chainCursor').set(backup.cursor).execute()
  minting.messages.length = 0

  chain.proxy.fail({ eth_getLogs: 'before' })
  await minting.start()
  await minting.consume(orderLineAuthorised, line)
  await minting.untilPolled(30)
  chain.proxy.heal()

  await untilState(minting, line.lineId, 'final')
  await until(() => published(deliveryFinal).some(({ lineId }) => lineId === line.lineId))
  expect(await accountOf(line.buyerId)).toBe(account)
  await until(() => ownersOf(work.token).at(-1)?.ownerId === line.buyerId)
})

test('a line whose order is consumed while the index records its delivery becomes final', async () => {
  const work = await givenWork(minting)
  const line = orderOf(work, { wallet: (await chain.newWallet()).address })
  await whileHalted(async () => {
    let consumed: Promise<unknown> | undefined
    const rolledBack = new Error('rolled back')
    const holding = db.transaction().execute(async (trx) => {
      // The consumer waits for this row, which the index does not see.
      await trx
        .insertInto('delivery')
        .values({ ...noDelivery, lineId: line.lineId, kind: 'sale', state: 'stopped' })
        .execute()
      consumed = minting.consume(orderLineAuthorised, line)
      await (await other.deliver(line)).wait()
      // Queries of its own keep this transaction from being idle for too long.
      await until(() =>
        trx
          .selectFrom('unexpectedDelivery')
          .select('block')
          .where('lineKey', '=', keyOf(line.lineId))
          .executeTakeFirst(),
      )
      throw rolledBack
    })
    await expect(holding).rejects.toBe(rolledBack)
    await consumed
    // A consumer that waited for longer than a lock may take is repeated.
    await until(() => db.selectFrom('delivery').select('state').where('lineId', '=', line.lineId).executeTakeFirst())

    await untilState(minting, line.lineId, 'final')
  })
  expect((await deliveryOf(minting, line.lineId)).transactionId).toBeNull()
})

test('a line whose order is consumed while the signer is resumed waits for the index, and is not sent again', async () => {
  const work = await givenWork(minting)
  const line = orderOf(work, { wallet: (await chain.newWallet()).address })
  chain.proxy.fail({ eth_getLogs: 'before' })
  await (await other.deliver(line)).wait()
  await chain.mine(5)
  await sql`update signer set halted_reason = 'database restored', halted_at = now()`.execute(db)

  const body = { address: chain.signer.address, reason: 'restored' }
  const [resumed] = await Promise.all([
    minting.callInternal('/internal/ops/resume-signer', body),
    minting.consume(orderLineAuthorised, line),
  ])
  expect(resumed).toMatchObject({ status: 200, body: { lost: 0 } })
  await minting.untilPolled(30)
  expect((await deliveryOf(minting, line.lineId)).state).toBe('waiting')

  chain.proxy.heal()
  await untilState(minting, line.lineId, 'final')
  expect((await deliveryOf(minting, line.lineId)).transactionId).toBeNull()
})

test('the delivery of a line that was stopped is listed until an operator closes it', async () => {
  const work = await givenWork(minting)
  const line = orderOf(work, { wallet: (await chain.newWallet()).address })
  const stop = { orderId: line.orderId, reason: 'cancelled' }
  expect((await minting.callInternal(`/internal/deliveries/${line.lineId}/stop`, stop)).body).toEqual({ stopped: true })

  const { hash } = await other.deliver(line)
  const listed = async () => (await minting.callInternal('/internal/unexpected-tokens')).body.deliveries
  await until(async () => (await listed()).length > 0)
  expect(await listed()).toMatchObject([{ token: work.token, recipient: line.wallet, txHash: hash, state: 'stopped' }])
  expect((await deliveryOf(minting, line.lineId)).state).toBe('stopped')
  await minting.callInternal('/internal/ops/close-finding', { hash, reason: 'the buyer keeps it' })
  expect(await listed()).toEqual([])
})

test('a withdrawal that was ended before the index passed its delivery is final, as the chain has it', async () => {
  const wallet = (await chain.newWallet()).address
  const account = await givenAccount(minting, { wallet })
  const work = await givenWork(minting, { creatorId: account.userId })
  await whileHalted(async () => {
    const { token, identifier } = work
    const payload = { contract: chain.collection, identifier }
    const headers = minting.steppedUp(account.userId)
    const { _id } = (await minting.app.inject({ method: 'POST', url: '/api/withdrawals', headers, payload })).json()
    // A key of the lost day delivered it; the index has not read that yet.
    chain.proxy.fail({ eth_getLogs: 'before' })
    await (await other.deliver({ lineId: _id, token, wallet, sellerId: account.userId })).wait()
    await givenAccount(minting, { ...account, version: 2, suspended: true })
    expect((await deliveryOf(minting, _id)).state).toBe('stopped')

    chain.proxy.heal()
    await untilState(minting, _id, 'final')
  })
  await until(() => ownersOf(work.token).at(-1)?.wallet === wallet)
})

test('a work into custody whose mint a restored database has as accepted belongs to its creator again', async () => {
  const cursor = await db.selectFrom('chainCursor').selectAll().executeTakeFirstOrThrow()
  const work = await givenWork(minting)
  const account = await accountOf(work.creatorId)
  await minting.stop()
  await db.deleteFrom('token').where('token', '=', work.token).execute()
  await db.deleteFrom('custodyAccount').where('userId', '=', work.creatorId).execute()
  const accepted = { state: 'accepted', transactionId: null, identifier: null, txHash: null } as const
  await db.updateTable('mint').set(accepted).where('id', '=', work.itemId).execute()
  await db.updateTable('chainCursor').set(cursor).execute()
  minting.messages.length = 0

  await whileHalted(async () => {
    await minting.start()
    await until(() => ownersOf(work.token).length > 0)
  })
  expect(await accountOf(work.creatorId)).toBe(account)
  expect(ownersOf(work.token).map(({ ownerId }) => ownerId)).toEqual([work.creatorId])
})
