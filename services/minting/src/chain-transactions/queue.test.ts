import { noOpCall } from '@nifty/contracts/calls'
import { listen } from '@nifty/service-kit/database/listen'
import { testDatabaseUrl } from '@nifty/service-kit/testing/database'
import { testLog } from '@nifty/service-kit/testing/log'
import { sql, type Transaction } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { createChainContext } from '../create-chain-context.ts'
import type { Database } from '../db.ts'
import { jobs } from '../jobs.ts'
import { givenWork } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { openTransactions } from './chain-transaction.store.ts'
import { chooseSigner } from './choose-signer.ts'
import { SIGNED_WORK, signNext, signReplacement } from './queue.ts'

// Guards that hold although another one stands behind them: two connections race, while the service itself is stopped.
const minting = await startTestMinting()
const { chain, db } = minting
await givenWork(minting)
await minting.stop()
const context = createChainContext({ db, log: testLog, config: minting.config })
const address = chain.signer.address
const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n }
const one = { kind: 'delivery', entries: 1, maxFeePerGas: fees.maxFeePerGas } as const
const wanted = { kind: 'delivery', call: noOpCall(address), gasLimit: 21_000n, fees } as const

beforeEach(async () => {
  await db
    .updateTable('chainTransaction')
    .set({ state: 'final', outcome: 'lost' })
    .where('state', '<>', 'final')
    .execute()
})

const nextNonce = async () =>
  (await db.selectFrom('signer').select('nextNonce').where('address', '=', address).executeTakeFirstOrThrow()).nextNonce
const isWaitingForLock = async () => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length > 0
}
const signOne = async (trx: Transaction<Database>) => signNext(trx, (await chooseSigner(context, one))!, wanted)

test('two transactions that sign at once get different nonces: the second waits for the signer’s row', async () => {
  const before = await nextNonce()
  const usable = (await chooseSigner(context, one))!
  const first = await db.startTransaction().execute()
  await signNext(first, usable, wanted)
  const second = db.transaction().execute((trx) => signNext(trx, usable, wanted))
  await minting.until(isWaitingForLock, { mining: false })
  await first.commit().execute()
  await second
  expect((await openTransactions(db, address)).map(({ nonce }) => nonce)).toEqual([before, before + 1])
  expect(await nextNonce()).toBe(before + 2)
})

test('a signed transaction is reported to the worker that broadcasts it', async () => {
  const payloads: (string | undefined)[] = []
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const listening = listen({
    url: testDatabaseUrl(rows[0]!.name),
    channel: 'work',
    log: testLog,
    onNotify: (payload) => void payloads.push(payload),
  })
  await vi.waitUntil(() => payloads.length === 1)

  const { id } = await db.transaction().execute(signOne)

  await vi.waitUntil(() => payloads.length === 2)
  expect([jobs[SIGNED_WORK].isNotified, payloads[1]]).toEqual([true, `${SIGNED_WORK}:${id}`])
  await listening.stop()
})

test('two replicas that replace a transaction at once make one attempt', async () => {
  await db.transaction().execute(signOne)
  const [open] = await openTransactions(db, address)
  const signer = context.signers.find(address)!
  const replace = (maxFeePerGas: bigint) =>
    signReplacement({ db }, open!, { signer, kind: 'call', fees: { ...fees, maxFeePerGas } })
  const made = await Promise.all([replace(2n * 10n ** 11n), replace(3n * 10n ** 11n)])
  expect(made.sort()).toEqual([false, true])
  expect((await openTransactions(db, address))[0]!.attempts).toHaveLength(2)
})

test('a transaction that was mined meanwhile is not replaced', async () => {
  await db.transaction().execute(signOne)
  const [open] = await openTransactions(db, address)
  await db.updateTable('chainTransaction').set({ state: 'mined', minedHash: 'x' }).where('id', '=', open!.id).execute()
  const signer = context.signers.find(address)!
  expect(await signReplacement({ db }, open!, { signer, kind: 'call', fees })).toBe(false)
  expect((await openTransactions(db, address))[0]!.attempts).toHaveLength(1)
})

test('mined transactions do not count as unmined; with 16 unmined or 256 that are not final no more are signed', async () => {
  const { maxUnmined, maxNotFinal } = context.settings
  expect([maxUnmined, maxNotFinal]).toEqual([16, 256])
  for (let at = 0; at < maxUnmined; at++) await db.transaction().execute(signOne)
  expect(await chooseSigner(context, one)).toBeUndefined()

  await db
    .updateTable('chainTransaction')
    .set({ state: 'mined', minedHash: 'x' })
    .where('state', '=', 'signed')
    .execute()
  expect(await chooseSigner(context, one)).toBeDefined()
  await sql`
    insert into chain_transaction (signer, nonce, kind, state, gas_limit, call_to, call_data, mined_hash)
    select ${address}, 1000 + n, 'mint', 'mined', 1, 'x', 'x', 'x' from generate_series(1, ${maxNotFinal - maxUnmined}) n`.execute(
    db,
  )
  expect(await chooseSigner(context, one)).toBeUndefined()
})

test('the database refuses a second signed delivery of a token', async () => {
  const { rows } = await sql<{ id: string }>`select id from chain_transaction limit 1`.execute(db)
  const signed = () =>
    sql`
    insert into delivery (line_id, kind, state, token, from_id, buyer_id, wallet, order_id, item_id, deliver_by, transaction_id)
    select gen_random_uuid(), 'sale', 'signed', 'x/1', id, id, '0x1', id, id, now(), ${rows[0]!.id}
    from (select gen_random_uuid() as id) ids`.execute(db)
  await signed()
  await expect(signed()).rejects.toThrow('one_signed_delivery_per_token')
})
