import { randomUUID } from 'node:crypto'
import { listOperatorActions } from '@nifty/service-kit/operator-audit'
import { expect, test } from 'vitest'
import { authorise, deliveryOf, givenWork, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'

const minting = await startTestMinting()
const { chain } = minting
const signed = { operator: 'ada', reason: 'a test' }
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
    deliveries: { waiting: 0, signed: 1, oldest: expect.stringMatching(/Z$/) },
    mintsWaiting: 0,
    index: { haltedReason: null },
  })
  expect(body.signers[0].oldestOpen).toMatch(/Z$/)
  expect(body.signers[0].balance.deliveriesLeft).toBeGreaterThan(1000)
  await chain.mineEachTransaction(true)
  await untilState(minting, order.lineId, 'final')
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

test('resume-signer of a running signer is a 409', async () => {
  const body = { address: chain.signer.address, ...signed }
  expect(await minting.callInternal('/internal/ops/resume-signer', body)).toMatchObject({
    status: 409,
    body: { code: 'not_halted' },
  })
})

test('internal routes are not public and need the internal secret', async () => {
  expect((await minting.app.inject('/internal/ops/status')).statusCode).toBe(404)
  expect((await fetch(`${minting.internalUrl}/internal/ops/status`)).status).toBe(403)
})
