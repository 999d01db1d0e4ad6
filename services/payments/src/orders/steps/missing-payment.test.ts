import { cancelOrder } from '@nifty/api/payments/ops'
import { compareOrder } from '@nifty/api/payments/ops-money'
import { sql } from 'kysely'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { checkAccount } from '../../processor/account.actions.ts'
import { syncReversals } from '../../reversals/reversal.actions.ts'
import { type Payments, startTestPayments } from '../../testing/payments.ts'
import { callProcessor, givenCompleted, givenHeld, reconcile } from '../../testing/reconciliation.ts'
import { alarms, cancel, deliver, givenOpenOrder, lines } from '../../testing/sale.ts'
import { runStep } from '../run-step.ts'

const operatorAction = { reason: 'a test' }

/** As after a change of test data at the processor. */
const forget = ({ db }: Payments) =>
  sql`update orders set session_id = 'cs_' || id, intent_id = case when intent_id is not null then 'pi_' || id end`.execute(
    db,
  )

const released = { state: 'released' }

test('a session that the processor does not have raises an alarm; ops cancel-order and the buyer release it', async () => {
  const payments = await startTestPayments({ manual: true })
  const { internal, deps } = payments
  const [one, other] = [await givenOpenOrder(payments), await givenOpenOrder(payments)]
  await forget(payments)

  await runStep(deps, one.orderId)
  expect(await lines(payments, one.orderId)).toMatchObject([{ state: 'awaiting_payment' }])
  expect(await alarms(payments)).toEqual(['session_missing'])
  const sides = internal(compareOrder, { params: { id: one.orderId } })
  await expect(sides).rejects.toMatchObject({ statusCode: 409, code: 'session_missing' })

  expect(await internal(cancelOrder, { body: { orderId: one.orderId, ...operatorAction } })).toMatchObject(released)
  expect((await cancel(payments, other)).json()).toMatchObject(released)
  expect(await runStep(deps, one.orderId)).toMatchObject({ nextRunInMs: null })
})

test('an order without its session at the processor ends when the time of the session is over', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId } = await givenOpenOrder(payments)
  await forget(payments)
  await sql`update orders set expires_at = now() - interval '1 second'`.execute(payments.db)
  await runStep(payments.deps, orderId)
  expect(await lines(payments, orderId)).toMatchObject([{ ...released, reason: 'expired' }])
})

test('with the API key of another account nothing that is missing counts', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId, buyer } = await givenOpenOrder(payments)
  await forget(payments)
  const processor = { ...payments.deps.processor, accountId: async () => 'acct_other' }
  await sql`update orders set cancel_requested_by = 'buyer'`.execute(payments.db)
  await expect(runStep({ ...payments.deps, processor }, orderId)).rejects.toThrow('acct_other')
  expect(await lines(payments, orderId)).toMatchObject([{ state: 'awaiting_payment' }])
  expect((await cancel(payments, { orderId, buyer })).json()).toMatchObject(released)
})

test('a hold that the processor does not have stops the delivery, and nothing is left to compare', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId } = await givenHeld(payments)
  await forget(payments)
  while ((await runStep(payments.deps, orderId)).nextRunInMs === 0);
  expect(await lines(payments, orderId)).toMatchObject([{ ...released, reason: 'undeliverable' }])
  expect(await alarms(payments)).toEqual(['hold_lost', 'session_missing'])
  const { differences } = await reconcile(payments)
  expect(differences.filter(({ kind }) => kind === 'order')).toEqual([])
})

test('a delivered work whose hold the processor does not have is written off', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId, line } = await givenHeld(payments)
  await deliver(payments, line)
  await forget(payments)
  while ((await runStep(payments.deps, orderId)).nextRunInMs === 0);
  expect(await lines(payments, orderId)).toMatchObject([{ state: 'written_off' }])
  expect(await alarms(payments)).toEqual(['session_missing', 'written_off'])
})

test('a hold whose cancellation the processor refuses raises an alarm, and is cancelled later', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId, buyer } = await givenHeld(payments)
  const { processor } = payments.deps
  const refusal = new Stripe.errors.StripeInvalidRequestError({
    message: 'no',
    code: 'no_right',
    statusCode: 400,
  } as never)
  const deps = { ...payments.deps, processor: { ...processor, cancelHold: () => Promise.reject(refusal) } }
  await sql`update orders set cancel_requested_by = 'buyer'`.execute(payments.db)
  for (let step = 0; step < 2; step++) await runStep(deps, orderId)
  expect(await alarms(payments)).toEqual(['cancel_refused'])
  expect(await payments.sandbox.totals()).toMatchObject({ inFlight: 12_000 })

  await cancel(payments, { orderId, buyer })
  await runStep(payments.deps, orderId)
  expect(await payments.sandbox.totals()).toMatchObject({ inFlight: 0 })
})

test('rights that the API key lacks raise an alarm each, and refunds are read without those to warnings', async () => {
  const payments = await startTestPayments({ manual: true })
  const { deps, sandbox } = payments
  const { orderId, intentId } = await givenCompleted(payments)
  const forbid = (path: string) => sandbox.fault({ request: `GET /v1/${path}`, mode: 'forbidden', times: 100 })
  await forbid('radar/early_fraud_warnings')
  await callProcessor(payments, '/v1/refunds', { payment_intent: intentId })
  await payments.db.transaction().execute((trx) => syncReversals(trx, deps, orderId))
  expect(await lines(payments, orderId)).toMatchObject([{ state: 'refunded' }])
  await forbid('account')
  for (let time = 0; time < 2; time++) await checkAccount(deps)
  expect(await alarms(payments)).toEqual(['key_without_right', 'key_without_right', 'refund_found'])
})

test('payments does not start with the API key of another account or mode', async () => {
  const payments = await startTestPayments({ manual: true })
  await sql`update processor_account set account_id = 'acct_first'`.execute(payments.db)
  await expect(payments.restart()).rejects.toThrow('the payments in this database are of acct_first (test)')
  await sql`delete from processor_account`.execute(payments.db)
  await payments.restart()
  expect(await payments.db.selectFrom('processorAccount').select('livemode').execute()).toEqual([{ livemode: false }])
})
