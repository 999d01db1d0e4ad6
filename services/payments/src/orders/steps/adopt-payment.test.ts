import { cancelOrder } from '@nifty/api/payments/ops'
import { acceptOrder, compareOrder } from '@nifty/api/payments/ops-money'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { submitDueRefund } from '../../refunds/refund.actions.ts'
import { deliverOnChain, givenLostOrder, pay, rebuildAll } from '../../testing/lost-order.ts'
import { startTestPayments } from '../../testing/payments.ts'
import { alarms, givenOpenOrder, lines } from '../../testing/sale.ts'
import { requestCancellation } from '../cancellation.actions.ts'
import { findOrder } from '../order.store.ts'
import { rebuildLostOrders } from '../rebuild.actions.ts'
import { runStep } from '../run-step.ts'

const HOUR_MS = 3_600_000

const states = async (payments: Awaited<ReturnType<typeof startTestPayments>>, orderId: string) =>
  (await lines(payments, orderId)).map(({ state }) => state)

test('a line that the chain delivered to another wallet waits for an operator, who cancels the order', async () => {
  const payments = await startTestPayments({ manual: true })
  const { deps } = payments
  const lost = await givenLostOrder(payments)
  const { orderId } = lost
  const intentId = await pay(payments, lost)
  deliverOnChain(payments, lost.sold[0]!, `0x${'7'.repeat(40)}`)

  await rebuildLostOrders(deps)
  expect(await runStep(deps, orderId)).toMatchObject({ step: 'rebuild', nextRunInMs: HOUR_MS })
  expect(await states(payments, orderId)).toEqual(['placed'])
  expect(await alarms(payments)).toEqual(['delivery_contradiction'])

  await payments.internal(cancelOrder, { body: { orderId, reason: 'a test' } })
  await rebuildAll(payments)
  expect(await states(payments, orderId)).toEqual(['released'])
  expect(await deps.processor.hold(intentId)).toMatchObject({ status: 'canceled' })
})

test('what was captured for a line that the chain delivered to another wallet is accepted once the order is cancelled', async () => {
  const payments = await startTestPayments({ manual: true })
  const { deps, internal, sandbox } = payments
  const lost = await givenLostOrder(payments)
  const { orderId } = lost
  await deps.processor.capture(await pay(payments, lost), 12_000, `capture:${orderId}`)
  deliverOnChain(payments, lost.sold[0]!, `0x${'7'.repeat(40)}`)
  await rebuildAll(payments)
  const accept = async () => {
    const { processor } = await internal(compareOrder, { params: { id: orderId } })
    return internal(acceptOrder, { body: { orderId, seen: processor, reason: 'a test' } })
  }
  await expect(accept()).rejects.toMatchObject({ statusCode: 409, code: 'delivery_open' })
  expect(await states(payments, orderId)).toEqual(['placed'])

  await internal(cancelOrder, { body: { orderId, reason: 'a test' } })
  await rebuildAll(payments)
  await accept()
  await submitDueRefund(deps)
  expect(await states(payments, orderId)).toEqual(['released'])
  expect(await sandbox.totals()).toMatchObject({ captured: 12_000, refunded: 12_000 })
})

test('a complete session without a payment waits for an operator, who cancels the order', async () => {
  const payments = await startTestPayments({ manual: true })
  const { db, deps } = payments
  const { processor } = deps
  const { orderId } = await givenOpenOrder(payments)
  const session = await processor.session((await findOrder(db, orderId))!.sessionId!)
  const complete = {
    ...processor,
    session: async () => ({ ...session, status: 'complete' as const }),
    expireSession: () => Promise.reject(new Stripe.errors.StripeInvalidRequestError({ statusCode: 400 } as never)),
  }
  const run = () => runStep({ ...deps, processor: complete }, orderId)

  expect(await run()).toMatchObject({ step: 'poll_session', nextRunInMs: HOUR_MS })
  expect(await states(payments, orderId)).toEqual(['awaiting_payment'])
  expect(await alarms(payments)).toEqual(['hold_missing'])

  await db.transaction().execute((trx) => requestCancellation(trx, orderId, 'operator'))
  expect(await run()).toMatchObject({ step: 'expire_session' })
  expect(await states(payments, orderId)).toEqual(['released'])
})
