import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { acceptDelivery } from '../deliveries/delivery.actions.ts'
import { givenAcceptedMint, givenWork, orderOf } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { onlyWithOpenWork, seldomWhenIdle } from './open-work.ts'

const HOUR_MS = 3_600_000

test('a worker that reads the chain is due at every poll while work is open, and seldom otherwise', async () => {
  const minting = await startTestMinting({ cleanUp: onTestFinished })
  const { db, chain } = minting
  const work = await givenWork(minting)
  const open = () => db.selectFrom('chainTransaction').where('state', '<>', 'final').select('id').execute()
  await vi.waitUntil(async () => (await open()).length === 0, 30_000)
  await minting.stop()

  const run = vi.fn(async () => false)
  const worker = seldomWhenIdle({ db, settings: { pollMs: HOUR_MS } as never }, { name: 'test', run })
  const isDue = async () => (await worker.due!(1)) === 1
  expect(await isDue()).toBe(true)
  await worker.run()
  expect(await isDue()).toBe(false)

  const { id } = await givenAcceptedMint(minting)
  expect(await isDue()).toBe(true)
  await db.deleteFrom('mint').where('id', '=', id).execute()
  expect(await isDue()).toBe(false)

  const line = orderOf(work, { wallet: (await chain.newWallet()).address })
  await db.transaction().execute((trx) => acceptDelivery(trx, line, []))
  expect(await isDue()).toBe(true)
  const settings = { pollMs: HOUR_MS } as never
  const unsigned = onlyWithOpenWork({ db, settings }, { name: 'test', kind: 'unsignedDeliveries', run })
  expect(await unsigned.due!(1)).toBe(0)
  await sql`update delivery set deliver_by = now()`.execute(db)
  expect(await unsigned.due!(1)).toBe(1)
  await db.deleteFrom('delivery').execute()
  expect(await isDue()).toBe(false)

  await sql`update chain_transaction set state = 'signed', outcome = null`.execute(db)
  expect(await isDue()).toBe(true)
  await sql`update chain_transaction set state = 'final', outcome = 'lost'`.execute(db)
  expect(await isDue()).toBe(false)

  run.mockResolvedValueOnce(true)
  await worker.run()
  expect(await isDue()).toBe(true)
})

test('a worker that signs is due while work of its kind is open or its last run left some, and not otherwise', async () => {
  const minting = await startTestMinting({ cleanUp: onTestFinished })
  const { db } = minting
  await minting.stop()
  const run = vi.fn(async () => false)
  const of = (kind: 'acceptedMints' | 'waitingDeliveries') =>
    onlyWithOpenWork({ db, settings: { pollMs: HOUR_MS } as never }, { name: 'test', kind, run })
  const [worker, deliveries] = [of('acceptedMints'), of('waitingDeliveries')]
  const isDue = async () => (await worker.due!(1)) === 1
  expect(await isDue()).toBe(false)

  const { id } = await givenAcceptedMint(minting)
  expect(await Promise.all([isDue(), isDue()])).toEqual([true, true])
  expect(await deliveries.due!(1)).toBe(0)
  await db.deleteFrom('mint').where('id', '=', id).execute()
  expect(await isDue()).toBe(false)

  run.mockResolvedValueOnce(true)
  expect(await worker.run()).toBe(true)
  expect(await isDue()).toBe(true)
  expect(await worker.run()).toBe(false)
  expect(await isDue()).toBe(false)
})
