import { acknowledgeAlarm } from '@nifty/api/payments/alarms'
import { listDisputes } from '@nifty/api/payments/disputes'
import { getOrderHistory, listOpenOrders } from '@nifty/api/payments/ops'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { givenCompletedOrder } from '../testing/sale.ts'
import { type Alarm, raiseAlarm } from './alarm.store.ts'

const payments = await startTestPayments()
const { db, deps, sandbox, internal: ops } = payments
const reason = 'evidence is being collected'

const given = (): Alarm => ({
  name: 'capture_refused',
  subject: crypto.randomUUID(),
  orderId: null,
  detail: 'card_expired',
})
const raise = (alarm: Alarm) => raiseAlarm(db, deps.log, alarm)
const acknowledge = ({ name, subject }: Pick<Alarm, 'name' | 'subject'>, why = reason, until?: string) =>
  ops(acknowledgeAlarm, { body: { name, subject, reason: why, ...(until && { until }) } })
const listed = async ({ subject }: Alarm) =>
  (await ops(listOpenOrders)).alarms.find((alarm) => alarm.subject === subject)

async function alarming(name: Alarm['name']) {
  const text = await (await fetch(`${payments.internalUrl}/metrics`)).text()
  return Number(new RegExp(`^nifty_alarms_last_day{name="${name}"} (\\d+)$`, 'm').exec(text)?.[1])
}

test('an acknowledged alarm raises no alert, stays listed with who and why, and is in the audit log once', async () => {
  const alarm = given()
  await raise(alarm)
  const operator = (await acknowledge(alarm)).acknowledged!.by
  await acknowledge(alarm, 'another reason')
  expect(await listed(alarm)).toMatchObject({ detail: 'card_expired', acknowledged: { by: operator, reason } })
  const actions = await listOperatorActions(db, [alarm.subject])
  expect(actions).toMatchObject([{ action: 'acknowledge capture_refused', operator, reason }])
  await expect.poll(() => alarming('capture_refused'), { timeout: 30_000 }).toBe(0)
})

test('an alarm comes back with another detail or after a day without it, and not by a repetition', async () => {
  const alarm = given()
  await raise(alarm)
  await acknowledge(alarm)
  await raise(alarm)
  expect(await listed(alarm)).toMatchObject({ times: 2, acknowledged: { reason } })

  await raise({ ...alarm, detail: 'charge_expired' })
  expect(await listed(alarm)).toMatchObject({ times: 3, detail: 'charge_expired', acknowledged: null })
  await expect.poll(() => alarming('capture_refused'), { timeout: 30_000 }).toBe(1)

  await acknowledge(alarm)
  await db
    .updateTable('alarm')
    .set({ lastAt: sql`now() - interval '25 hours'` })
    .where('subject', '=', alarm.subject)
    .execute()
  await raise({ ...alarm, detail: 'charge_expired' })
  expect(await listed(alarm)).toMatchObject({ acknowledged: null })
})

test('an acknowledgement with an end counts until then, and another end replaces it', async () => {
  const alarm = given()
  await raise(alarm)
  const until = new Date(Date.now() + 3_600_000).toISOString()
  expect(await acknowledge(alarm, reason, until)).toMatchObject({ acknowledged: { reason, until } })
  expect(await acknowledge(alarm, 'again', until)).toMatchObject({ acknowledged: { reason, until } })
  expect(await acknowledge(alarm, 'for good')).toMatchObject({ acknowledged: { reason: 'for good', until: null } })
  await acknowledge(alarm, reason, until)

  await db.updateTable('alarm').set({ acknowledgedUntil: new Date() }).where('subject', '=', alarm.subject).execute()
  expect(await listed(alarm)).toMatchObject({ acknowledged: null })
  await expect.poll(() => alarming('capture_refused'), { timeout: 30_000 }).toBeGreaterThan(0)

  const past = acknowledge(alarm, reason, '2026-01-01T00:00:00Z')
  await expect(past).rejects.toMatchObject({ statusCode: 400, code: 'invalid_until' })
})

test('a dispute is acknowledged until its next stage', async () => {
  const { orderId, intentId } = await givenCompletedOrder(payments)
  const { id } = await sandbox.dispute(intentId)
  const alarmOf = async () => (await ops(getOrderHistory, { params: { id: orderId } })).alarms[0]
  const disputeOf = async () => (await ops(listDisputes)).disputes.find((dispute) => dispute.id === id)
  await expect.poll(disputeOf, { timeout: 30_000 }).toMatchObject({ acknowledged: false })
  await acknowledge({ name: 'disputed', subject: id })
  expect(await disputeOf()).toMatchObject({ acknowledged: true })
  const { actions } = await ops(getOrderHistory, { params: { id: orderId } })
  expect(actions).toMatchObject([{ action: 'acknowledge disputed', reason }])
  await sandbox.closeDispute(id, 'lost')
  await expect.poll(alarmOf, { timeout: 30_000 }).toMatchObject({ acknowledged: null })
})

test('an alarm that nobody raised is 404', async () => {
  await expect(acknowledge(given())).rejects.toMatchObject({ statusCode: 404, code: 'alarm_not_found' })
})
