import { expect, test } from 'vitest'
import { errorOf, eventTypes, givenCapture, startTestSandbox } from './testing/sandbox.ts'

const start = async () => {
  const sandbox = await startTestSandbox()
  const { chargeId, intentId } = await givenCapture(sandbox)
  return { sandbox, chargeId, intentId, totals: async () => (await sandbox.control('/sandbox/ledger')).totals }
}

test('an inquiry withdraws nothing, its charge can be refunded, and it is closed', async () => {
  const { sandbox, chargeId, totals } = await start()
  const inquiry = await sandbox.control('/sandbox/disputes', { charge: chargeId, inquiry: true })
  expect(inquiry).toMatchObject({ status: 'warning_needs_response', balance_transactions: [] })
  expect(await totals()).toMatchObject({ disputed: 0 })
  await sandbox.stripe.refunds.create({ charge: chargeId, amount: 100 })
  const closed = await sandbox.control(`/sandbox/disputes/${inquiry.id}/close`, { outcome: 'closed' })
  expect(closed.status).toBe('warning_closed')
  expect(await eventTypes(sandbox)).not.toContain('charge.dispute.funds_withdrawn')
})

test('an inquiry becomes a dispute of the same id, which withdraws its amount', async () => {
  const { sandbox, chargeId, totals } = await start()
  const { id } = await sandbox.control('/sandbox/disputes', { charge: chargeId, amount: 700, inquiry: true })
  expect(await sandbox.control(`/sandbox/disputes/${id}/escalate`, {})).toMatchObject({ id, status: 'needs_response' })
  expect(await totals()).toMatchObject({ disputed: 700 })
  expect((await errorOf(sandbox.stripe.refunds.create({ charge: chargeId }))).code).toBe('charge_disputed')
  expect((await eventTypes(sandbox)).slice(-2)).toEqual(['charge.dispute.updated', 'charge.dispute.funds_withdrawn'])
  const again = sandbox.control(`/sandbox/disputes/${id}/escalate`, {})
  await expect(again).rejects.toMatchObject({ status: 400 })
})

test('a refund fails after it succeeded, once, and its money can be refunded again', async () => {
  const { sandbox, chargeId, totals } = await start()
  const { id } = await sandbox.stripe.refunds.create({ charge: chargeId })
  expect(await sandbox.control(`/sandbox/refunds/${id}/fail`, {})).toMatchObject({ id, status: 'failed' })
  expect(await totals()).toMatchObject({ refunded: 0 })
  expect((await eventTypes(sandbox)).at(-1)).toBe('refund.failed')
  await expect(sandbox.control(`/sandbox/refunds/${id}/fail`, {})).rejects.toMatchObject({ status: 400 })
  expect(await sandbox.stripe.refunds.create({ charge: chargeId })).toMatchObject({ status: 'succeeded' })
})
