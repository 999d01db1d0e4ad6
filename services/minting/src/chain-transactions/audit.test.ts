import { testLog } from '@nifty/service-kit/testing/log'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { authorise, givenWork, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { auditFinal } from './audit.ts'
import type { ChainContext } from './chain-context.ts'

const minting = await startTestMinting()
const { chain, db, until } = minting

const status = async () => (await minting.callInternal('/internal/ops/status')).body
const findings = async () => (await status()).auditFindings

/** A delivered line whose transaction was final eleven minutes ago. The node has another block since. */
async function givenReplacedDelivery() {
  const work = await givenWork(minting)
  const order = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await untilState(minting, order.lineId, 'final')
  const transaction = () => db.selectFrom('chainTransaction').selectAll().orderBy('nonce', 'desc').limit(1)
  const { id, minedHash, minedBlock } = await until(async () => {
    const found = await transaction().executeTakeFirstOrThrow()
    return found.state === 'final' ? found : undefined
  })
  // The index compares the last block that it has read, and would halt the signers.
  await until(
    async () => (await db.selectFrom('chainCursor').select('block').executeTakeFirstOrThrow()).block > minedBlock!,
  )
  chain.proxy.forkFrom(minedBlock!, minedBlock!)
  await db
    .updateTable('chainTransaction')
    .set({ finalAt: sql`now() - interval '11 minutes'` })
    .where('id', '=', id)
    .execute()
  return { order, hash: minedHash!, block: minedBlock! }
}

test('a final transaction that left its block is a finding with its lines, until the block is back', async () => {
  const { order, hash, block } = await givenReplacedDelivery()
  await until(async () => (await findings()).length > 0, { mining: false })
  expect(await findings()).toMatchObject([{ hash, block, lines: [order.lineId], mints: [] }])
  await minting.stop()
  await minting.start()
  expect(await findings()).toHaveLength(1)
  const metrics = await (await fetch(`${minting.internalUrl}/metrics`)).text()
  expect(metrics).toMatch(/^nifty_chain_audit_findings(\{.*\})? 1$/m)

  chain.proxy.heal()
  await until(async () => (await findings()).length === 0, { mining: false })
})

test('a transaction whose block a node does not have delays the audit of no other one', async () => {
  const { hash } = await givenReplacedDelivery()
  // An older one, in a block that the node does not have.
  await db
    .updateTable('chainTransaction')
    .set({ finalAt: sql`now() - interval '1 hour'`, minedBlock: 1_000_000_000 })
    .where('minedHash', '<>', hash)
    .where('auditedAt', 'is', null)
    .execute()
  await until(async () => (await findings()).some((finding: { hash: string }) => finding.hash === hash), {
    mining: false,
  })
  const missing = db.selectFrom('chainTransaction').select('auditedAt').where('minedBlock', '=', 1_000_000_000)
  expect(await missing.executeTakeFirstOrThrow()).toEqual({ auditedAt: null })
  chain.proxy.heal()
})

test('an operator closes a finding', async () => {
  const { hash } = await givenReplacedDelivery()
  await until(async () => (await findings()).length > 0, { mining: false })
  const close = (of = hash) =>
    minting.callInternal('/internal/ops/close-finding', { hash: of, reason: 'the token arrived' })
  expect((await close(hash.slice(0, -1))).status).toBe(400)
  expect((await close()).status).toBe(200)
  expect(await findings()).toEqual([])
  expect(await close()).toMatchObject({ status: 404, body: { code: 'finding_not_found' } })
  chain.proxy.heal()
})

test('a run of the audit ends after a few blocks that the nodes do not respond with; the next one asks for others', async () => {
  await givenReplacedDelivery()
  chain.proxy.heal()
  await minting.stop()
  await db.updateTable('chainTransaction').set({ auditedAt: sql`now()` }).execute()
  await sql`
    insert into chain_transaction (signer, nonce, kind, state, outcome, gas_limit, call_to, call_data, mined_hash, mined_block,
      mined_block_hash, final_at)
    select signer, 1000000 + n, kind, state, outcome, gas_limit, call_to, call_data, mined_hash, n, mined_block_hash,
      now() - interval '1 hour'
    from (select * from chain_transaction where state = 'final' limit 1) one, generate_series(1, 10) n`.execute(db)
  const asked: number[] = []
  const node = {
    isReplaced: async ({ number }: { number: number }) => {
      asked.push(number)
      throw new Error('silent')
    },
  }
  const context = { db, node, log: testLog } as unknown as ChainContext
  for (const run of [1, 2]) {
    await expect(auditFinal(context)).rejects.toThrow('silent')
    expect(asked).toHaveLength(3 * run)
  }
  expect(new Set(asked).size).toBe(6)

  await sql`delete from chain_transaction where nonce >= 1000000`.execute(db)
  await minting.start()
})
