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

test('evidence is submitted once, and the bank decides then', async () => {
  const { sandbox, chargeId, intentId } = await start()
  const { id } = await sandbox.control('/sandbox/disputes', { charge: chargeId })
  const { disputes } = sandbox.stripe
  const staged = await disputes.update(id, { evidence: { customer_name: 'Ada' }, submit: false })
  expect(staged).toMatchObject({ status: 'needs_response', evidence_details: { has_evidence: true } })
  expect(await disputes.update(id, { evidence: { product_description: 'Dusk' } })).toMatchObject({
    status: 'under_review',
    evidence: { customer_name: 'Ada', product_description: 'Dusk' },
    evidence_details: { submission_count: 1 },
  })
  expect((await errorOf(disputes.update(id, { evidence: { customer_name: 'Ben' } }))).statusCode).toBe(400)
  expect(await sandbox.control(`/sandbox/disputes/${id}/close`, { outcome: 'won' })).toMatchObject({ status: 'won' })

  const other = await sandbox.control('/sandbox/disputes', { charge: (await givenCapture(sandbox)).chargeId })
  expect(await disputes.close(other.id)).toMatchObject({ status: 'lost' })
  expect((await disputes.list({ payment_intent: intentId })).data.map((one) => one.id)).toEqual([id])
})

test('early fraud warnings are listed by payment', async () => {
  const sandbox = await startTestSandbox()
  const [warned] = [await givenCapture(sandbox, '4000000000005423'), await givenCapture(sandbox)]
  const { data } = await sandbox.stripe.radar.earlyFraudWarnings.list({ payment_intent: warned.intentId })
  expect(data).toMatchObject([{ charge: warned.chargeId, fraud_type: 'made_with_stolen_card' }])
  expect(await sandbox.stripe.radar.earlyFraudWarnings.retrieve(data[0]!.id)).toEqual(data[0])
  expect((await sandbox.stripe.radar.earlyFraudWarnings.list({ payment_intent: 'pi_no' })).data).toEqual([])
})

test('a charge may have several disputes, which withdraw no more than was captured', async () => {
  const { sandbox, chargeId, totals } = await start()
  const open = (body: object) => sandbox.control('/sandbox/disputes', { charge: chargeId, ...body })
  const first = await open({ amount: 7_000 })
  await expect(open({ amount: 5_001 })).rejects.toMatchObject({ status: 400 })
  await open({})
  expect(await totals()).toMatchObject({ disputed: 12_000 })
  await expect(open({})).rejects.toMatchObject({ status: 400 })
  const { data } = await sandbox.stripe.disputes.list({ charge: chargeId })
  expect(data.map(({ amount }) => amount)).toEqual([5_000, 7_000])
  await sandbox.control(`/sandbox/disputes/${first.id}/close`, { outcome: 'won' })
  expect(await open({})).toMatchObject({ amount: 7_000 })
})
