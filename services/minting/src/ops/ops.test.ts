import { randomUUID } from 'node:crypto'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { lockTransaction } from '../chain-transactions/chain-transaction.store.ts'
import { lockDeliveriesOf } from '../deliveries/delivery.store.ts'
import { authorise, deliveryOf, givenAcceptedMint, givenWork, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'

/** Longer than a test: what waits for the chain shows. */
const minting = await startTestMinting({ patience: { requestMs: 600_000 } })
const { chain } = minting
const signed = { reason: 'a test' }
const retry = (lineId: unknown) => minting.callInternal('/internal/ops/retry-delivery', { lineId, ...signed })

test('the status shows the signer, open deliveries and the remaining gas', async () => {
  const work = await givenWork(minting)
  await chain.mineEachTransaction(false)
  const order = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await untilState(minting, order.lineId, 'signed', { mining: false })

  const { body } = await minting.callInternal('/internal/ops/status')
  expect(body).toMatchObject({
    signers: [
      {
        address: chain.signer.address,
        state: 'active',
        keyConfigured: true,
        roles: { collection: true, delivery: true },
        haltedReason: null,
        haltedAt: null,
        nextNonce: 2,
        chainNonce: 1,
        nonceGap: 1,
        openTransactions: 1,
      },
    ],
    deliveries: {
      waiting: 0,
      signed: 1,
      oldest: { lineId: order.lineId, state: 'signed', since: expect.stringMatching(/Z$/), note: null },
    },
    mintsWaiting: 0,
    index: { haltedReason: null },
  })
  expect(body.signers[0].oldestOpen).toMatch(/Z$/)
  expect(body.signers[0].balance.deliveriesLeft).toBeGreaterThan(1000)
  await chain.mineEachTransaction(true)
  await untilState(minting, order.lineId, 'final')
})

test('the status comes without the values of a chain that never responds', async () => {
  chain.proxy.fail({ '*': 'silent' })
  onTestFinished(chain.proxy.heal)
  const { status, body } = await minting.callInternal('/internal/ops/status')
  expect([status, body.chain, body.index.finalBlock]).toEqual([200, null, null])
  expect(body.signers).toMatchObject([{ address: chain.signer.address, chainNonce: null, roles: null, balance: null }])
})

test('deliveries are listed by state, and one is returned with the attempts and the fee of its transaction', async () => {
  const listed = async (state: string, after = '') =>
    (await minting.callInternal(`/internal/ops/deliveries?state=${state}${after && `&after=${after}`}`)).body
  const lineIds = ({ deliveries }: { deliveries: { lineId: string }[] }) => deliveries.map(({ lineId }) => lineId)
  const work = await givenWork(minting)
  await chain.mineEachTransaction(false)
  const { address } = await chain.newWallet()
  const { lineId, orderId } = await authorise(minting, work, { wallet: address })
  await untilState(minting, lineId, 'signed', { mining: false })
  expect(lineIds(await listed('signed'))).toEqual([lineId])
  await chain.mineEachTransaction(true)
  await untilState(minting, lineId, 'final')

  const read = () => minting.callInternal(`/internal/ops/deliveries/${lineId}`)
  await minting.until(async () => (await read()).body.transaction.state === 'final')
  const { body } = await read()

  expect(body).toMatchObject({ lineId, orderId, kind: 'sale', state: 'final', wallet: address.toLowerCase() })
  expect(body.transaction).toMatchObject({
    signer: chain.signer.address,
    state: 'final',
    outcome: 'succeeded',
    attempts: [{ hash: body.txHash, kind: 'call', maxFeePerGas: expect.stringMatching(/^\d+$/) }],
    deliveries: 1,
    feeWei: expect.stringMatching(/^[1-9]\d{9,}$/),
  })
  expect(lineIds(await listed('signed'))).toEqual([])
  expect(lineIds(await listed('final'))[0]).toBe(lineId)
  expect(lineIds(await listed('final', lineId))).not.toContain(lineId)
  expect((await minting.callInternal(`/internal/ops/deliveries/${randomUUID()}`)).status).toBe(404)
  expect((await minting.callInternal('/internal/ops/deliveries?state=lost')).status).toBe(400)
})

test('mints are listed from their acceptance until they are final', async () => {
  const open = async () => (await minting.callInternal('/internal/ops/mints')).body.mints
  await minting.until(async () => (await open()).length === 0)
  await chain.mineEachTransaction(false)
  const { id, creatorId } = await givenAcceptedMint(minting)
  expect(await open()).toMatchObject([{ mintId: id, creatorId, name: 'Dusk' }])

  await minting.until(async () => (await open())[0].state === 'minting', { mining: false })
  expect(await open()).toMatchObject([{ mintId: id, state: 'minting', txHash: expect.stringMatching(/^0x/) }])
  await chain.mineEachTransaction(true)
  await minting.until(async () => (await open()).length === 0)
})

test('retry-delivery raises the fee of a signed delivery, and refuses one that is over', async () => {
  const work = await givenWork(minting)
  await chain.mineEachTransaction(false)
  const order = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await untilState(minting, order.lineId, 'signed', { mining: false })
  expect((await retry(order.lineId)).body).toEqual({
    state: 'signed',
    result: 'fee_bump_requested',
    signer: chain.signer.address,
  })
  const { transactionId } = await deliveryOf(minting, order.lineId)
  const attempts = minting.db.selectFrom('attempt').select('hash').where('transactionId', '=', transactionId)
  await minting.until(async () => (await attempts.execute()).length === 2, { mining: false })

  await untilState(minting, order.lineId, 'final')
  await chain.mineEachTransaction(true)
  expect(await retry(order.lineId)).toMatchObject({ status: 409, body: { code: 'delivery_over' } })
  expect((await retry(randomUUID())).status).toBe(404)
  expect((await retry('nope')).status).toBe(400)

  const recorded = await listOperatorActions(minting.db, [order.lineId])
  expect(recorded).toMatchObject([{ action: 'retry-delivery', operator: 'ada', reason: 'a test' }])
  expect(recorded).toHaveLength(1)
})

test('retry-delivery while the transaction of the line is finalized waits for it', async () => {
  const work = await givenWork(minting)
  await chain.mineEachTransaction(false)
  const order = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await untilState(minting, order.lineId, 'signed', { mining: false })
  const transactionId = (await deliveryOf(minting, order.lineId)).transactionId!

  const finalizing = await minting.db.startTransaction().execute()
  await lockTransaction(finalizing, transactionId)
  const retried = retry(order.lineId)
  await waitForBlockedQuery(minting.db)
  expect(await lockDeliveriesOf(finalizing, transactionId)).toHaveLength(1)
  await finalizing.commit().execute()

  expect((await retried).body).toMatchObject({ result: 'fee_bump_requested' })
  await untilState(minting, order.lineId, 'final')
  await chain.mineEachTransaction(true)
})

test('resume-signer of a running signer is a 409', async () => {
  const body = { address: chain.signer.address, ...signed }
  expect(await minting.callInternal('/internal/ops/resume-signer', body)).toMatchObject({
    status: 409,
    body: { code: 'not_halted' },
  })
})

test('retry-delivery says when it has no effect: mined, at the maximum fee, or signed by a key that is gone', async () => {
  const work = await givenWork(minting)
  await minting.until(async () => (await signers())[0].openTransactions === 0)
  const order = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await minting.until(async () => (await signers())[0].nonceGap === 0 && (await isMined(order.lineId)), {
    mining: false,
  })
  expect((await retry(order.lineId)).body).toEqual({ state: 'signed', result: 'mined', signer: chain.signer.address })
  await untilState(minting, order.lineId, 'final')

  const next = await givenWork(minting)
  await chain.mineEachTransaction(false)
  const stuck = await authorise(minting, next, { wallet: (await chain.newWallet()).address })
  await untilState(minting, stuck.lineId, 'signed', { mining: false })
  const { maxFee } = minting.config.transactions
  await restart({ maxFee: 1n })
  expect((await retry(stuck.lineId)).body.result).toBe('fee_cap')
  const other = await chain.newWallet()
  await restart({ maxFee, keys: [other.privateKey] })
  expect((await retry(stuck.lineId)).body).toMatchObject({ result: 'key_missing', signer: chain.signer.address })
  await minting.until(metricIs('nifty_signer_key_missing', chain.signer.address, 1), { mining: false })
  // The new key has no role, and the old one is not configured.
  await minting.until(async () => (await metrics()).includes('nifty_signers_usable 0'), { mining: false })

  await restart({ keys: [chain.signer.privateKey] })
  await chain.mineEachTransaction(true)
  await untilState(minting, stuck.lineId, 'final')
})

const signers = async () => (await minting.callInternal('/internal/ops/status')).body.signers
const isMined = async (lineId: string) => {
  const { transactionId } = await deliveryOf(minting, lineId)
  const row = minting.db.selectFrom('chainTransaction').select('state').where('id', '=', transactionId)
  return (await row.executeTakeFirst())?.state === 'mined'
}
async function restart({ maxFee, keys }: { maxFee?: bigint; keys?: string[] }) {
  await minting.stop()
  Object.assign(minting.config.transactions, maxFee !== undefined && { maxFee })
  Object.assign(minting.config.chain, keys && { signerKeys: keys })
  await minting.start()
}
const metricIs = (name: string, signer: string, value: number) => async () => {
  return new RegExp(`^${name}\\{[^}]*signer="${signer}"[^}]*\\} ${value}$`, 'm').test(await metrics())
}
const metrics = async () => (await fetch(`${minting.internalUrl}/metrics`)).text()

test('metrics of signers have the address as label', async () => {
  for (const name of ['nifty_signer_halted', 'nifty_chain_transactions_open', 'nifty_signer_nonce_gap'])
    await minting.until(metricIs(name, chain.signer.address, 0))
  expect(await metrics()).toContain('nifty_signers_usable 1')
})

test('gas is measured in hours of the present rate, at least ten deliveries an hour', async () => {
  await givenWork(minting)
  const balance = async () =>
    (await signers()).find(({ address }: { address: string }) => address === chain.signer.address).balance
  await sql`update chain_transaction set signed_at = now() - interval '2 days'`.execute(minting.db)
  const quiet = await balance()
  expect(quiet.hoursLeft).toBeCloseTo(quiet.deliveriesLeft / 10, -1)
  // As if each of its transactions had carried a million deliveries a minute ago.
  const sent = await sql`
    update chain_transaction set signed_at = now() - interval '1 minute', gas_limit = 320000000000
    where signer = ${chain.signer.address} returning nonce`.execute(minting.db)
  expect(sent.rows.length).toBeGreaterThan(0)
  const busy = await balance()
  expect(busy.hoursLeft).toBeLessThan(busy.deliveriesLeft / 999)
  await minting.until(metricIs('nifty_gas_hours_left', chain.signer.address, busy.hoursLeft))
})

test('the gas of a stand-by, whose key is not here, is not measured', async () => {
  const { address } = await chain.newWallet()
  const body = { address, state: 'active', ...signed }
  expect((await minting.callInternal('/internal/ops/set-signer-state', body)).status).toBe(200)
  onTestFinished(async () => void (await sql`delete from signer where address = ${address}`.execute(minting.db)))
  await minting.until(metricIs('nifty_signer_nonce_gap', address, 0))
  const text = await metrics()
  expect(text).toMatch(new RegExp(`^nifty_gas_hours_left\\{[^}]*${chain.signer.address}`, 'm'))
  expect(text).not.toMatch(new RegExp(`^nifty_gas_[^ ]*${address}`, 'm'))
})

test('the chain is measured without the database', async () => {
  await minting.db.transaction().execute(async (trx) => {
    await sql`lock table signer, chain_cursor`.execute(trx)
    await minting.until(async () => (await metrics()).includes('nifty_collector_up{source="signing"} 0'), {
      mining: false,
    })
    const text = await metrics()
    for (const source of ['chain', 'database']) expect(text).toContain(`nifty_collector_up{source="${source}"} 1`)
    expect(text).toMatch(/^nifty_chain_head_block \d/m)
  })
})

test('a signer drains and becomes active again; an unknown one, and no address, are refused', async () => {
  const set = (address: string, state: string) =>
    minting.callInternal('/internal/ops/set-signer-state', { address, state, ...signed })
  const { address } = chain.signer
  expect((await set(address, 'draining')).status).toBe(200)
  const work = await givenUnsignedMint()
  await minting.untilPolled(40)
  expect((await work()).state).toBe('accepted')
  expect((await set(address.toLowerCase(), 'active')).status).toBe(200)
  await minting.until(async () => (await work()).state === 'minted')
  expect(await set((await chain.newWallet()).address, 'draining')).toMatchObject({ status: 404 })
  expect(await set('0x12', 'active')).toMatchObject({ status: 400, body: { code: 'invalid_address' } })
  expect((await set(address, 'retired')).status).toBe(400)
  expect(await listOperatorActions(minting.db, [address])).toMatchObject([
    { action: 'signer draining' },
    { action: 'signer active' },
  ])
})
const givenUnsignedMint = async () => {
  const { id } = await givenAcceptedMint(minting)
  return () => minting.db.selectFrom('mint').select('state').where('id', '=', id).executeTakeFirstOrThrow()
}

test('internal routes are not public and need the internal secret', async () => {
  expect((await minting.app.inject('/internal/ops/status')).statusCode).toBe(404)
  expect((await fetch(`${minting.internalUrl}/internal/ops/status`)).status).toBe(403)
})
