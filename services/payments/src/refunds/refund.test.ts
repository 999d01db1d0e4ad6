import { sql } from 'kysely'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { owedAccounts } from '../books/payout.actions.ts'
import { lockOrder } from '../orders/order.store.ts'
import { runStep } from '../orders/run-step.ts'
import { recordReversal } from '../reversals/reversal.actions.ts'
import { type Payments, startTestPayments } from '../testing/payments.ts'
import { deliver, givenOpenOrder, lines } from '../testing/sale.ts'
import { requestRefund, submitDueRefund, submitRefund } from './refund.actions.ts'

async function givenCompleted(payments: Payments, prices = [12_000]) {
  const items = prices.map((priceCents) => payments.peers.givenItem({ priceCents }))
  const { orderId, url } = await givenOpenOrder(payments, { items })
  await payments.sandbox.pay(url)
  await runStep(payments.deps, orderId)
  for (const line of await lines(payments, orderId)) await deliver(payments, line)
  for (let step = 0; step < 3; step++) await runStep(payments.deps, orderId)
  return { orderId, lines: await lines(payments, orderId) }
}

const request = ({ db }: Payments, lineId: string) => db.transaction().execute((trx) => requestRefund(trx, lineId))

test('a refund without a response is tried again after the others', async () => {
  const payments = await startTestPayments({ manual: true })
  const [stuck, other] = [await givenCompleted(payments), await givenCompleted(payments)]
  const [stuckLine, otherLine] = [stuck.lines[0]!.id, other.lines[0]!.id]
  await request(payments, stuckLine)
  await request(payments, otherLine)
  const { deps, db } = payments
  const intent = (await db.selectFrom('orders').select('intentId').where('id', '=', stuck.orderId).execute())[0]!
    .intentId
  const refund: typeof deps.processor.refund = async (intentId, ...rest) => {
    if (intentId === intent) throw new Error('no response')
    return deps.processor.refund(intentId, ...rest)
  }
  const failing = { ...deps, processor: { ...deps.processor, refund } }

  expect(await submitDueRefund(failing)).toBe(true)
  expect(await submitDueRefund(failing)).toBe(true)
  expect(await submitDueRefund(failing)).toBe(false)

  const states = async () =>
    Object.fromEntries((await db.selectFrom('refund').selectAll().execute()).map((row) => [row.lineId, row.state]))
  expect(await states()).toEqual({ [stuckLine]: 'requested', [otherLine]: 'succeeded' })
  await sql`update refund set due_at = now()`.execute(db)
  await submitDueRefund(deps)
  expect(await states()).toEqual({ [stuckLine]: 'succeeded', [otherLine]: 'succeeded' })
})

test('a refund that was requested a day ago is looked for before it is sent again', async () => {
  const payments = await startTestPayments({ manual: true })
  const { deps, db } = payments
  const order = await givenCompleted(payments, [12_000, 12_000])
  const [line] = order.lines
  await request(payments, line!.id)
  await payments.sandbox.fault({ request: 'POST /v1/refunds', mode: 'timeout_after', delayMs: 10, times: 2 })
  await expect(submitRefund(deps, line!.id)).rejects.toThrow()
  await payments.sandbox.advance(25 * 3_600_000)
  await sql`update refund set requested_at = now() - interval '25 hours'`.execute(db)

  expect(await submitRefund(deps, line!.id)).toMatchObject({ state: 'succeeded' })

  expect((await payments.sandbox.totals()).refunded).toBe(12_000)
  expect((await lines(payments, order.orderId)).map(({ state }) => state)).toEqual(['refunded', 'completed'])
})

test('a refund without a response holds the payout back', async () => {
  const payments = await startTestPayments({ manual: true })
  const { deps, db } = payments
  const { lines: sold } = await givenCompleted(payments)
  const refund = () => Promise.reject(new Error('no response'))
  await request(payments, sold[0]!.id)
  await expect(submitRefund({ ...deps, processor: { ...deps.processor, refund } }, sold[0]!.id)).rejects.toThrow()
  expect(await owedAccounts(db, { holdMs: 0 })).toMatchObject([{ dueCents: 0, heldBackCents: 10_800 }])
})

test('a refund of the processor that is pending holds the payout back', async () => {
  const payments = await startTestPayments({ manual: true })
  const { deps, db } = payments
  const { orderId } = await givenCompleted(payments)
  const found = { id: 're_pending', kind: 'refund', status: 'pending', reason: null, refundKey: null } as const
  const reversal = { ...found, amountCents: 12_000, withdrawnCents: 0, createdAt: new Date(), dueBy: null }
  await db
    .transaction()
    .execute(async (trx) => recordReversal(trx, deps, { order: (await lockOrder(trx, orderId))!, reversal }))
  expect(await owedAccounts(db, { holdMs: 0 })).toMatchObject([{ dueCents: 0, heldBackCents: 10_800 }])
})

test.each([401, 403])(
  'a refund that the processor answers with %i, for the key lacks the right, waits',
  async (statusCode) => {
    const payments = await startTestPayments({ manual: true })
    const { deps, db } = payments
    const { lines: sold } = await givenCompleted(payments)
    const error = new Stripe.errors.StripePermissionError({ message: 'no', statusCode } as never)
    const refund = () => Promise.reject(error)
    await request(payments, sold[0]!.id)
    await expect(submitRefund({ ...deps, processor: { ...deps.processor, refund } }, sold[0]!.id)).rejects.toThrow(
      error,
    )
    expect(await db.selectFrom('refund').select('state').execute()).toEqual([{ state: 'requested' }])
    expect(await submitRefund(deps, sold[0]!.id)).toMatchObject({ state: 'succeeded' })
  },
)
