import { expect, test } from 'vitest'
import { errorOf, givenCapture, givenHold, givenSession, startTestSandbox } from './testing/sandbox.ts'

test('sessions can be filtered by intent and by status', async () => {
  const sandbox = await startTestSandbox()
  const { sessions } = sandbox.stripe.checkout
  const open = await givenSession(sandbox)
  const held = await givenHold(sandbox)

  expect((await sessions.list({ payment_intent: held.intentId })).data.map(({ id }) => id)).toEqual([held.sessionId])
  expect((await sessions.list({ status: 'open' })).data.map(({ id }) => id)).toEqual([open.id])
  expect((await sessions.list()).data.map(({ id }) => id)).toEqual([held.sessionId, open.id])
})

test('lists are sorted newest first and can be paged in both directions', async () => {
  const sandbox = await startTestSandbox()
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) ids.unshift((await givenSession(sandbox)).id)
  const { sessions } = sandbox.stripe.checkout

  const first = await sessions.list({ limit: 2 })
  const next = await sessions.list({ limit: 2, starting_after: first.data[1]!.id })
  const back = await sessions.list({ limit: 2, ending_before: next.data[1]!.id })

  expect([first.has_more, first.data.map(({ id }) => id)]).toEqual([true, ids.slice(0, 2)])
  expect(next.data.map(({ id }) => id)).toEqual(ids.slice(2, 4))
  expect(back.data.map(({ id }) => id)).toEqual(ids.slice(1, 3))
  const all = await sessions.list({ limit: 2 }).autoPagingToArray({ limit: 100 })
  expect(all.map(({ id }) => id)).toEqual(ids)
  expect((await errorOf(sessions.list({ limit: 101 }))).param).toBe('limit')
  expect((await errorOf(sessions.list({ starting_after: 'cs_no' }))).statusCode).toBe(404)
})

test('events can be filtered by type, types, prefix and time', async () => {
  const sandbox = await startTestSandbox()
  await givenCapture(sandbox)
  const { events } = sandbox.stripe
  const types = async (filter: Parameters<typeof events.list>[0]) =>
    (await events.list(filter)).data.map(({ type }) => type)

  expect(await types({ type: 'charge.captured' })).toEqual(['charge.captured'])
  expect(await types({ type: 'charge.*' })).toEqual(['charge.captured', 'charge.succeeded'])
  expect(await types({ types: ['charge.captured', 'payment_intent.created'] })).toEqual([
    'charge.captured',
    'payment_intent.created',
  ])
  const { now } = await sandbox.control('/sandbox/clock')
  expect(await types({ created: { gt: now + 10 } })).toEqual([])
  expect(await types({ created: { gte: now - 60 }, limit: 100 })).toHaveLength(6)
  const [event] = (await events.list({ limit: 1 })).data
  expect(await events.retrieve(event!.id)).toMatchObject({ id: event!.id, type: event!.type })
})

test('refunds and disputes can be filtered by intent or charge', async () => {
  const sandbox = await startTestSandbox()
  const [one, other] = [await givenCapture(sandbox), await givenCapture(sandbox, '4000000000000259')]
  const refund = await sandbox.stripe.refunds.create({ payment_intent: one.intentId })

  expect((await sandbox.stripe.refunds.list({ charge: one.chargeId })).data).toMatchObject([{ id: refund.id }])
  expect((await sandbox.stripe.refunds.list({ payment_intent: other.intentId })).data).toEqual([])
  expect((await sandbox.stripe.disputes.list({ payment_intent: other.intentId })).data).toHaveLength(1)
  expect((await sandbox.stripe.charges.list({ payment_intent: one.intentId })).data).toMatchObject([
    { id: one.chargeId },
  ])
  expect((await sandbox.stripe.paymentIntents.list()).data.map(({ id }) => id)).toEqual([other.intentId, one.intentId])
})

test('related objects are expanded at the requested paths only', async () => {
  const sandbox = await startTestSandbox()
  const { sessionId } = await givenCapture(sandbox)
  const { sessions } = sandbox.stripe.checkout

  const session: any = await sessions.retrieve(sessionId, {
    expand: ['payment_intent.latest_charge.balance_transaction', 'line_items'],
  })
  const listed: any = await sessions.list({ expand: ['data.payment_intent'] })

  expect(session.payment_intent.latest_charge.balance_transaction).toMatchObject({ amount: 12_000 })
  expect(session.line_items.data).toMatchObject([{ description: 'Dusk', amount_total: 12_000 }])
  expect(listed.data[0].payment_intent.latest_charge).toMatch(/^ch_/)
  expect((await errorOf(sessions.retrieve(sessionId, { expand: ['shoes'] }))).statusCode).toBe(400)
})
