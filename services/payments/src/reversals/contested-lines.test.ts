import { allowBuyer, clearDispute, listDisputes } from '@nifty/api/payments/disputes'
import { getOrderHistory, listOpenOrders } from '@nifty/api/payments/ops'
import { assignReversal, listPayouts } from '@nifty/api/payments/ops-money'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { reconcile } from '../testing/reconciliation.ts'
import { cartOf, givenCompletedOrder, givenPaidOrder, publishedEvents, start, waitForLines } from '../testing/sale.ts'
import { contestStoredObjections, syncReversals } from './reversal.actions.ts'

const payments = await startTestPayments()
const { db, deps, sandbox, peers, internal: ops } = payments
const patience = { timeout: 30_000 }
const action = { reason: 'a test' }

/** `contested` and `cleared` of a line, in the sequence of the outbox. */
const changesOf = async (lineId: string) =>
  (await publishedEvents(payments))
    .filter(({ name, data }) => data.lineId === lineId && /order-line-(contested|cleared)/.test(name))
    .map(({ name, data }) => ({ what: name.split('.')[1]!.replace('order-line-', ''), at: String(data.at) }))

const untilChanges = (lineId: string, ...expected: string[]) =>
  expect.poll(async () => (await changesOf(lineId)).map(({ what }) => what), patience).toEqual(expected)

const reversalOf = async (orderId: string) => (await ops(getOrderHistory, { params: { id: orderId } })).reversals[0]!

const dueOf = async (userId: string | null) => (await ops(listPayouts)).due.find((one) => one.userId === userId)

const openIds = async () => (await ops(listDisputes)).disputes.map(({ id }) => id)

test('a dispute contests the lines of its order once; won, it clears them', async () => {
  const items = [peers.givenItem(), peers.givenItem()]
  const { orderId, intentId, buyer, lines } = await givenCompletedOrder(payments, { items })
  const { id } = await sandbox.dispute(intentId)
  for (const line of lines) await untilChanges(line.id, 'contested')
  const [event] = (await publishedEvents(payments, 'order-line-contested')).filter(
    ({ data }) => data.lineId === lines[0]!.id,
  )
  expect(event!.data).toMatchObject({ itemId: items[0]!.itemId, buyerId: buyer.userId, orderId })
  await db.transaction().execute((trx) => syncReversals(trx, deps, orderId))
  for (const line of lines) await untilChanges(line.id, 'contested')

  await sandbox.closeDispute(id, 'won')

  for (const line of lines) await untilChanges(line.id, 'contested', 'cleared')
  const [contested, cleared] = await changesOf(lines[0]!.id)
  expect(Date.parse(cleared!.at)).toBeGreaterThan(Date.parse(contested!.at))
})

test('a dispute that a former release stored contests its lines once', async () => {
  const { intentId, lines } = await givenCompletedOrder(payments)
  const [line] = lines
  await sandbox.dispute(intentId)
  await untilChanges(line!.id, 'contested')
  await db.deleteFrom('contestedLine').where('lineId', '=', line!.id).execute()
  for (let pass = 0; pass < 2; pass++) await contestStoredObjections(db)
  await untilChanges(line!.id, 'contested', 'contested')
})

test('a lost dispute keeps its lines contested; named lines only, once an operator names them', async () => {
  const items = [peers.givenItem(), peers.givenItem()]
  const { orderId, intentId, lines } = await givenCompletedOrder(payments, { items })
  const { id } = await sandbox.dispute(intentId, { amount: 12_000 })
  for (const line of lines) await untilChanges(line.id, 'contested')
  await sandbox.closeDispute(id, 'lost')
  await expect.poll(() => reversalOf(orderId), patience).toMatchObject({ status: 'lost' })
  await ops(assignReversal, { body: { reversalId: id, borneBy: 'platform', lineIds: [lines[0]!.id], ...action } })
  await untilChanges(lines[0]!.id, 'contested')
  await untilChanges(lines[1]!.id, 'contested', 'cleared')
})

test('an inquiry that an operator cleared contests again once it is a dispute', async () => {
  const { orderId, intentId, lines } = await givenCompletedOrder(payments)
  const [line] = lines
  const { id } = await sandbox.dispute(intentId, { inquiry: true })
  await untilChanges(line!.id, 'contested')
  expect(await dueOf(line!.sellerId)).toMatchObject({ due: 0, heldBack: 108, heldBecause: ['inquiry'] })

  for (let time = 0; time < 2; time++) await ops(clearDispute, { body: { reversalId: id, ...action } })
  await untilChanges(line!.id, 'contested', 'cleared')
  expect(await dueOf(line!.sellerId)).toMatchObject({ due: 108, heldBack: 0, heldBecause: [] })
  expect(await listOperatorActions(db, [orderId])).toMatchObject([
    { action: 'clear-dispute', reason: 'a test' },
    { action: 'clear-dispute' },
  ])

  await sandbox.escalate(id)
  await untilChanges(line!.id, 'contested', 'cleared', 'contested')
  const unknown = ops(clearDispute, { body: { reversalId: 'dp_unknown', ...action } })
  await expect(unknown).rejects.toMatchObject({ statusCode: 404, code: 'dispute_not_found' })
})

test('an early fraud warning holds the share back until an operator clears it, with an alarm of its own', async () => {
  const { intentId, lines } = await givenCompletedOrder(payments)
  const [line] = lines
  const { id } = await sandbox.warnOfFraud(intentId)
  await untilChanges(line!.id, 'contested')
  expect(await dueOf(line!.sellerId)).toMatchObject({ due: 0, heldBack: 108, heldBecause: ['fraud_warning'] })
  const alarm = await db.selectFrom('alarm').select(['name', 'times']).where('subject', '=', id).execute()
  expect(alarm).toEqual([{ name: 'fraud_warning', times: 1 }])
  expect(await openIds()).toContain(id)

  await ops(clearDispute, { body: { reversalId: id, ...action } })

  await untilChanges(line!.id, 'contested', 'cleared')
  expect(await dueOf(line!.sellerId)).toMatchObject({ due: 108, heldBack: 0 })
  expect(await openIds()).not.toContain(id)
  expect((await reconcile(payments)).differences).toEqual([])
})

test('open disputes are listed with the end of the time for evidence until they are closed', async () => {
  const { orderId, intentId, buyer } = await givenCompletedOrder(payments)
  const { id, evidence_details } = await sandbox.dispute(intentId)
  const listed = async () => (await ops(listDisputes)).disputes.find((one) => one.id === id)
  await expect.poll(listed, patience).toMatchObject({
    kind: 'dispute',
    status: 'needs_response',
    orderId,
    buyerId: buyer.userId,
    amount: 120,
    dueBy: new Date(evidence_details.due_by * 1000).toISOString(),
    cleared: false,
  })
  const { alarms } = await ops(listOpenOrders)
  expect(alarms.find(({ subject }) => subject === id)?.detail).toMatch(
    /^dispute needs response \(fraudulent\), 120\u00a0€ withdrawn/,
  )
  await ops(clearDispute, { body: { reversalId: id, ...action } })
  expect(await listed()).toMatchObject({ cleared: true })
  await sandbox.closeDispute(id, 'won')
  await expect.poll(listed, patience).toBeUndefined()
})

test('an account with a lost dispute buys again only after an operator allowed it', async () => {
  const { orderId, intentId, buyer } = await givenCompletedOrder(payments)
  const { id } = await sandbox.dispute(intentId)
  await sandbox.closeDispute(id, 'lost')
  await expect.poll(() => reversalOf(orderId), patience).toMatchObject({ status: 'lost' })
  const refused = await start(payments, buyer, cartOf(peers.givenItem()))
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'purchase_blocked'])
  expect((await start(payments, peers.givenBuyer(), cartOf(peers.givenItem()))).statusCode).toBe(200)

  const allow = () => ops(allowBuyer, { body: { userId: buyer.userId, ...action } })
  expect([await allow(), await allow()]).toEqual([{ disputes: 1 }, { disputes: 0 }])

  expect((await start(payments, buyer, cartOf(peers.givenItem()))).statusCode).toBe(200)
  expect(await listOperatorActions(db, [buyer.userId])).toMatchObject([{ action: 'allow-buyer' }, {}])
})

test('a fraud warning before the delivery is signed cancels the order and leaves nothing contested', async () => {
  const { orderId, lines } = await givenPaidOrder(payments)
  const { intentId } = await db
    .selectFrom('orders')
    .select('intentId')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  await sandbox.warnOfFraud(intentId!)
  await waitForLines(payments, orderId, 'released')
  await untilChanges(lines[0]!.id, 'contested', 'cleared')
})
