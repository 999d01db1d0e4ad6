import { testLog } from '@nifty/service-kit/testing/log'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createChainContext } from '../create-chain-context.ts'
import { acceptDelivery } from '../deliveries/delivery.actions.ts'
import { givenAcceptedMint, givenWork, orderOf } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { createIndexer } from './index-blocks.ts'

test('the chain is read at every poll while work is open, and seldom otherwise', async () => {
  const minting = await startTestMinting({ cleanUp: onTestFinished })
  const { db, chain } = minting
  const work = await givenWork(minting)
  const open = () => db.selectFrom('chainTransaction').where('state', '<>', 'final').select('id').execute()
  await vi.waitUntil(async () => (await open()).length === 0, 30_000)
  await minting.stop()
  const context = createChainContext({ db, log: testLog, config: minting.config })
  onTestFinished(() => context.node.stop())
  const seldom = { ...context, settings: { ...context.settings, pollMs: 3_600_000 } }
  const finalBlock = vi.spyOn(context.node, 'finalBlock')
  const indexNext = createIndexer(seldom)
  const readsChain = async () => {
    finalBlock.mockClear()
    while (await indexNext());
    return finalBlock.mock.calls.length > 0
  }
  expect(await readsChain()).toBe(true)
  expect(await readsChain()).toBe(false)

  const { id } = await givenAcceptedMint(minting)
  expect(await readsChain()).toBe(true)
  await db.deleteFrom('mint').where('id', '=', id).execute()
  expect(await readsChain()).toBe(false)

  const line = orderOf(work, { wallet: (await chain.newWallet()).address })
  await db.transaction().execute((trx) => acceptDelivery(trx, line, []))
  expect(await readsChain()).toBe(true)
  await db.deleteFrom('delivery').execute()
  expect(await readsChain()).toBe(false)

  await sql`update chain_transaction set state = 'signed', outcome = null`.execute(db)
  expect(await readsChain()).toBe(true)
  await sql`update chain_transaction set state = 'final', outcome = 'lost'`.execute(db)
  expect(await readsChain()).toBe(false)
})
