import { randomUUID } from 'node:crypto'
import { orderNumber } from '@nifty/api/order-number'
import { getEvidence, listDisputes, submitEvidence } from '@nifty/api/payments/disputes'
import { cancelOrder, getOrderHistory, listOpenOrders, refundLine } from '@nifty/api/payments/ops'
import { listPayouts, recordPayout } from '@nifty/api/payments/ops-money'
import { addOrderNote, type OrderSearch, searchOrders } from '@nifty/api/payments/order-search'
import { listSales } from '@nifty/api/payments/sales'
import { getSalesPause, pauseSales } from '@nifty/api/payments/sales-pause'
import { listSecurityEvents } from '@nifty/api/security-events'
import { getSalesStatistics } from '@nifty/api/statistics'
import { accountDeleted } from '@nifty/events/auth'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import {
  alarms,
  cartOf,
  deliver,
  failedFor,
  givenOpenOrder,
  givenPaidOrder,
  intentOf,
  lines,
  publishedEvents,
  start,
  startedFor,
  txHash,
  view,
  waitForLines,
} from '../testing/sale.ts'

const payments = await startTestPayments()
const { sandbox, app, db, peers } = payments
const ops = payments.internal
const operatorAction = { reason: 'a test' }
const sandboxAddress = () => {
  const { hostname: host, port } = new URL(sandbox.url)
  return { protocol: 'http' as const, host, port }
}

async function givenCompleted(changes: Parameters<typeof peers.givenItem>[0] = {}) {
  const order = await givenPaidOrder(payments, { items: [peers.givenItem(changes)] })
  await deliver(payments, order.lines[0]!)
  await waitForLines(payments, order.orderId, 'completed')
  return order
}

test('a request without the internal secret is refused', async () => {
  const response = await fetch(`${payments.internalUrl}/internal/ops/orders`)
  expect(response.status).toBe(403)
})

test('an order is found by the number that its buyer has, and by no other', async () => {
  const { orderId, buyer } = await givenOpenOrder(payments)
  await givenOpenOrder(payments)
  const number = orderNumber(orderId)
  const { orders } = await ops(searchOrders, { body: { order: number } })
  expect(orders).toMatchObject([{ _id: orderId, buyerId: buyer.userId, total: 120 }])
  const unused = number === 'FFFFFFFF' ? '00000000' : 'FFFFFFFF'
  expect((await ops(searchOrders, { body: { order: unused } })).orders).toEqual([])
})

const found = async (search: OrderSearch) => (await ops(searchOrders, { body: search })).orders.map(({ _id }) => _id)

test('an order is found by everything that people have of it, and by nothing of another one', async () => {
  const other = await givenOpenOrder(payments)
  const order = await givenCompleted()
  const [line] = await lines(payments, order.orderId)
  const { sessionId, intentId } = await ops(getOrderHistory, { params: { id: order.orderId } })
  const { itemId, sellerId } = line!
  await payments.db
    .updateTable('line')
    .set({ txHash: `0x${'cd'.repeat(32)}` })
    .where('id', '=', line!.id)
    .execute()

  const searches: OrderSearch[] = [
    { order: order.orderId },
    { order: orderNumber(order.orderId) },
    { payment: intentId! },
    { payment: sessionId! },
    { transaction: `0x${'CD'.repeat(32)}` },
    { itemId },
    { token: `${line!.contract}/${line!.identifier}` },
    { token: `${line!.contract!.toLowerCase()}/${line!.identifier}`, state: 'completed' },
    { accountIds: [order.buyer.userId] },
    { accountIds: [sellerId!], as: 'seller' },
    { accountIds: [crypto.randomUUID(), sellerId!], state: 'completed', since: '2026-01-01T00:00:00Z' },
  ]
  for (const search of searches) expect([search, await found(search)]).toEqual([search, [order.orderId]])
  const none: OrderSearch[] = [
    { accountIds: [] },
    { accountIds: [sellerId!], as: 'buyer' },
    { accountIds: [order.buyer.userId], as: 'seller' },
    { order: other.orderId, payment: intentId! },
    { itemId, state: 'refunded' },
    { itemId, until: '2026-01-01T00:00:00Z' },
  ]
  for (const search of none) expect([search, await found(search)]).toEqual([search, []])
  expect((await ops(searchOrders, { body: { itemId } })).orders).toMatchObject([
    { state: 'completed', total: 120, captured: 120, intentId, lines: [{ itemId, sellerId, sellerUsername: '@cleo' }] },
  ])
})

test.each(['buyer', 'seller'] as const)(
  'a search of a %s has 50 orders a page, newest first, each once',
  async (as) => {
    const ids = Array.from({ length: 60 }, () => crypto.randomUUID())
    const [buyerId, sellerId] = [crypto.randomUUID(), crypto.randomUUID()]
    await sql`insert into orders (id, buyer_id, terms_version, total_cents, commission_bps, expires_at, created_at)
    select id, ${buyerId}, 'v1', 5000, 1000, now(), now() - make_interval(secs => (place / 2) * 0.0001)
    from unnest(${ids}::uuid[]) with ordinality as given (id, place)`.execute(db)
    await sql`insert into line (id, order_id, ordered_at, position, buyer_id, item_id, price_cents, seller_id)
    select gen_random_uuid(), id, created_at, position, buyer_id, gen_random_uuid(), 2500, ${sellerId}
    from orders, generate_series(0, 1) position where buyer_id = ${buyerId}`.execute(db)
    await sql`update line set state = 'released', reason = 'expired' where seller_id = ${sellerId}`.execute(db)

    const search = { accountIds: [as === 'buyer' ? buyerId : sellerId] }
    const first = await ops(searchOrders, { body: search })
    const second = await ops(searchOrders, { body: { ...search, after: first.next! } })

    expect(first.orders).toHaveLength(50)
    expect(second).toMatchObject({ next: null })
    const read = [...first.orders, ...second.orders]
    expect(read.map(({ _id }) => _id).sort()).toEqual([...ids].sort())
    expect(read.map(({ createdAt }) => createdAt)).toEqual(
      read
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    )
  },
)

test.each<[string, object]>([
  ['order', { order: '12' }],
  ['payment', { payment: 'ch_1' }],
  ['transaction', { transaction: '0x12' }],
  ['accountIds', { accountIds: ['ada'] }],
  ['token', { token: '0x12/1' }],
  ['state', { state: 'done' }],
  ['since', { since: 'yesterday' }],
  ['after', { after: crypto.randomUUID() }],
])('a search with a wrong %s is a 400 that names it', async (path, search) => {
  await expect(ops(searchOrders, { body: search })).rejects.toMatchObject({
    statusCode: 400,
    extras: { errors: [{ path: expect.stringContaining(path) }] },
  })
})

test('a note is in the history of its order with its operator, once, and its buyer does not see it', async () => {
  const order = await givenOpenOrder(payments)
  const note = { noteId: crypto.randomUUID(), text: ' Called:\nwaits for the bank. ' }
  const add = (id: string, changes: object = {}) => ops(addOrderNote, { params: { id }, body: { ...note, ...changes } })
  const added = await add(order.orderId)
  expect(added).toMatchObject({ noteId: note.noteId, operator: 'ada', text: 'Called:\nwaits for the bank.' })
  expect(await add(order.orderId)).toEqual(added)
  expect((await ops(getOrderHistory, { params: { id: order.orderId } })).notes).toEqual([added])
  expect(JSON.stringify(await view(payments, order))).not.toContain('Called')

  await expect(add(order.orderId, { text: 'other' })).rejects.toMatchObject({ statusCode: 409, code: 'note_exists' })
  await expect(add(crypto.randomUUID())).rejects.toMatchObject({ statusCode: 404 })
  await expect(add(order.orderId, { text: ' ' })).rejects.toMatchObject({ statusCode: 400 })
})

test('notes about the orders of a deleted account are deleted, and those about other orders stay', async () => {
  const [order, other] = [await givenOpenOrder(payments), await givenOpenOrder(payments)]
  for (const { orderId } of [order, other])
    await ops(addOrderNote, { params: { id: orderId }, body: { noteId: crypto.randomUUID(), text: 'Mrs Lind called' } })

  const { userId } = order.buyer
  const at = new Date().toISOString()
  await payments.consume(messageOf(accountDeleted, { userId, username: '@ada', email: 'a@b.c', firstName: 'Ada', at }))

  const notesOf = async (id: string) => (await ops(getOrderHistory, { params: { id } })).notes
  expect(await notesOf(order.orderId)).toEqual([])
  expect(await notesOf(other.orderId)).toMatchObject([{ text: 'Mrs Lind called' }])
})

test('the books of a month have each entry of a sale with its work, and no entry of another month', async () => {
  const { orderId, buyer, lines: sold } = await givenCompleted({ creatorId: crypto.randomUUID() })
  const month = new Date().toISOString().slice(0, 7)
  const { entries, next } = await ops(listSales, { params: { month }, query: {} })
  const own = entries.filter((entry) => entry.orderId === orderId)
  expect(next).toBeNull()
  expect(own.map(({ kind, amount }) => [kind, amount]).sort()).toEqual([
    ['commission', 12],
    ['royalty', 6],
    ['sale', 102],
  ])
  expect(own[0]).toMatchObject({ buyerId: buyer.userId, lineId: sold[0]!.id, name: 'Dusk', cause: 'capture' })
  expect((await ops(listSales, { params: { month: '2025-01' }, query: {} })).entries).toEqual([])
  await expect(ops(listSales, { params: { month }, query: { after: '999999999' } })).rejects.toMatchObject({
    statusCode: 400,
    code: 'invalid_cursor',
  })
  await expect(ops(listSales, { params: { month: '2026-13' }, query: {} })).rejects.toMatchObject({ statusCode: 400 })
})

test('repeated refund requests for a completed line refund it once', async () => {
  const order = await givenCompleted()
  const lineId = order.lines[0]!.id
  const first = await ops(refundLine, { body: { lineId, ...operatorAction } })
  expect(first).toMatchObject({ state: 'succeeded', amount: 120 })
  expect(await ops(refundLine, { body: { lineId, reason: 'again' } })).toEqual(first)
  const { actions } = await ops(getOrderHistory, { params: { id: order.orderId } })
  expect(actions).toMatchObject([{ action: 'refund', ...operatorAction }])
  expect((await sandbox.totals()).refunded).toBe(12_000)
  expect(await view(payments, order)).toMatchObject({ state: 'refunded' })
  expect((await publishedEvents(payments, 'order-line-refunded')).map(({ data }) => data)).toMatchObject([
    { refundedCents: 12_000 },
  ])
})

test('a refund whose response is lost is made once', async () => {
  const before = (await sandbox.totals()).refunded
  const order = await givenCompleted()
  await sandbox.fault({ request: 'POST /v1/refunds', mode: 'timeout_after', delayMs: 10, times: 1000 })
  await sandbox.fault({ webhook: '*', mode: 'lose', times: 1000 })
  const lineId = order.lines[0]!.id
  expect(await ops(refundLine, { body: { lineId, ...operatorAction } })).toMatchObject({ state: 'requested' })
  await sandbox.heal()
  await waitForLines(payments, order.orderId, 'refunded')
  expect((await sandbox.totals()).refunded).toBe(before + 12_000)
})

test('operators’ reads of the history of an order are security events, one row a minute for those of an open page', async () => {
  const { orderId } = await givenOpenOrder(payments)
  const read = () => ops(getOrderHistory, { params: { id: orderId } })
  const recorded = async () => {
    const { events } = await ops(listSecurityEvents, { query: { kind: 'operator' } })
    return events.filter(({ route }) => route === 'GET /internal/ops/orders/:id')
  }
  const sumOf = (events: { count: number }[]) => events.reduce((sum, { count }) => sum + count, 0)
  const before = await recorded()

  for (let time = 0; time < 3; time++) await read()

  const events = await recorded()
  expect(events[0]).toMatchObject({ operator: 'ada', outcome: 'ok', userId: null })
  expect(sumOf(events)).toBe(sumOf(before) + 3)
  expect(events.length - before.length).toBeLessThanOrEqual(1)
})

test('a line that was not captured cannot be refunded', async () => {
  const { lines: held } = await givenPaidOrder(payments)
  const refund = ops(refundLine, { body: { lineId: held[0]!.id, ...operatorAction } })
  await expect(refund).rejects.toMatchObject({ statusCode: 409, code: 'not_refundable' })
  const unknown = ops(refundLine, { body: { lineId: crypto.randomUUID(), ...operatorAction } })
  await expect(unknown).rejects.toMatchObject({ statusCode: 404 })
})

test('an operator cancels an order without a signed delivery, and its story has operator and reason', async () => {
  const { orderId } = await givenPaidOrder(payments)
  expect(await ops(cancelOrder, { body: { orderId, ...operatorAction } })).toMatchObject({
    state: 'released',
  })
  expect(await ops(getOrderHistory, { params: { id: orderId } })).toMatchObject({
    money: 'released',
    held: 120,
    actions: [{ action: 'cancel', ...operatorAction }],
    order: { timeline: expect.arrayContaining([expect.objectContaining({ state: 'released', note: 'operator' })]) },
  })
  expect(await ops(cancelOrder, { body: { orderId, ...operatorAction } })).toMatchObject({ state: 'released' })
  const unknown = ops(refundLine, { body: { lineId: orderId, ...operatorAction } })
  await expect(unknown).rejects.toMatchObject({ statusCode: 404, code: 'line_not_found' })
})

test('an operator stops a signed delivery that no block has', async () => {
  const { orderId, lines: sold } = await givenPaidOrder(payments)
  peers.signedLines.add(sold[0]!.id)
  await payments.consume(startedFor(sold[0]!))
  expect(await ops(cancelOrder, { body: { orderId, ...operatorAction } })).toMatchObject({ state: 'delivering' })
  expect(peers.stopRequests.at(-1)).toMatchObject({ lineId: sold[0]!.id, reason: 'operator' })

  await payments.consume(failedFor(sold[0]!, 'deadline'))
  await waitForLines(payments, orderId, 'released')
  expect((await lines(payments, orderId))[0]).toMatchObject({ reason: 'cancelled', note: 'operator' })
})

test('open orders are listed, final ones are not', async () => {
  const open = await givenOpenOrder(payments)
  const done = await givenCompleted()
  const { orders, openLines } = await ops(listOpenOrders)
  const ids = orders.map(({ _id }: { _id: string }) => _id)
  expect(ids).toContain(open.orderId)
  expect(ids).not.toContain(done.orderId)
  const states = openLines.map(({ name }) => name)
  expect(states).toContain('awaiting_payment')
  expect(states).not.toContain('completed')
})

test('a creator sees the royalty of a resale in the statement, and is paid out once', async () => {
  const creator = peers.givenBuyer()
  const seller = peers.givenBuyer()
  await givenCompleted({ sellerId: seller.userId, creatorId: creator.userId })
  const statementOf = async ({ headers }: typeof creator) =>
    (await app.inject({ method: 'GET', url: '/api/orders/statement', headers })).json()
  expect(await statementOf(creator)).toMatchObject({
    due: 6,
    paidOut: 0,
    entries: [
      { kind: 'royalty', name: 'Dusk', price: 120, commission: 12, royalty: 6, due: 6, status: 'due', paidOutAt: null },
    ],
  })
  expect(await statementOf(seller)).toMatchObject({ due: 102, entries: [{ kind: 'sale', due: 102 }] })

  const payout = { payoutId: crypto.randomUUID(), userId: creator.userId, ...operatorAction }
  const tooMuch = ops(recordPayout, { body: { ...payout, amount: 7 } })
  await expect(tooMuch).rejects.toMatchObject({ statusCode: 409, code: 'amount_differs' })
  const paid = await ops(recordPayout, { body: { ...payout, amount: 6 } })
  expect(await ops(recordPayout, { body: { ...payout, amount: 6 } })).toEqual(paid)
  const again = ops(recordPayout, { body: { ...payout, payoutId: crypto.randomUUID(), amount: 6 } })
  await expect(again).rejects.toMatchObject({ statusCode: 409 })
  expect(await statementOf(creator)).toMatchObject({ due: 0, paidOut: 6, entries: [{ paidOutAt: expect.any(String) }] })
  const { due } = await ops(listPayouts)
  expect(due.map(({ userId }: { userId: string }) => userId)).not.toContain(creator.userId)
  const owed = { due: 102, waiting: 0, heldBack: 0, heldBecause: [], suspended: false, entries: 1, payee: null }
  expect(due).toContainEqual({ userId: seller.userId, username: '@cleo', ...owed })
})

test('metrics show the oldest hold', async () => {
  const { orderId } = await givenPaidOrder(payments)
  await db
    .updateTable('orders')
    .set({ authorisedAt: new Date(Date.now() - 3_600_000) })
    .where('id', '=', orderId)
    .execute()
  const metric = async (name: string) => {
    const text = await (await fetch(`${payments.internalUrl}/metrics`)).text()
    const line = text.split('\n').find((each) => each.startsWith(`${name} `))
    return line && Number(line.split(' ')[1])
  }
  const { poll } = expect
  await poll(() => metric('nifty_orders_authorised_oldest_seconds'), { timeout: 30_000 }).toBeGreaterThanOrEqual(3_600)
  expect(await metric('nifty_alarms_last_day{name="written_off"}')).toBe(0)
})

test('a signed delivery that no block has is stopped by a fraud warning', async () => {
  const { orderId, lines: sold } = await givenPaidOrder(payments)
  peers.signedLines.add(sold[0]!.id)
  await payments.consume(startedFor(sold[0]!))
  const intentId = await intentOf(payments, orderId)
  await sandbox.warnOfFraud(intentId)
  const reasons = () => peers.stopRequests.filter(({ lineId }) => lineId === sold[0]!.id).map(({ reason }) => reason)
  await expect.poll(reasons, { timeout: 30_000 }).toContain('dispute')

  await payments.consume(failedFor(sold[0]!, 'deadline'))
  await waitForLines(payments, orderId, 'released')
  expect((await lines(payments, orderId))[0]).toMatchObject({ reason: 'cancelled', note: 'dispute' })
})

test('a dispute before the delivery is signed cancels it; afterwards the line is disputed and an alarm raised', async () => {
  const early = await givenPaidOrder(payments)
  const { intentId } = await db
    .selectFrom('orders')
    .select('intentId')
    .where('id', '=', early.orderId)
    .executeTakeFirstOrThrow()
  await sandbox.warnOfFraud(intentId!)
  await waitForLines(payments, early.orderId, 'released')
  expect(await alarms(payments)).toContain('fraud_warning')

  const late = await givenCompleted()
  const { intentId: paid } = await db
    .selectFrom('orders')
    .select('intentId')
    .where('id', '=', late.orderId)
    .executeTakeFirstOrThrow()
  await sandbox.dispute(paid!)
  await waitForLines(payments, late.orderId, 'disputed')
  const refund = ops(refundLine, { body: { lineId: late.lines[0]!.id, ...operatorAction } })
  await expect(refund).rejects.toMatchObject({ statusCode: 409 })
  expect((await lines(payments, late.orderId))[0]!.state).toBe('disputed')
  expect((await ops(getOrderHistory, { params: { id: late.orderId } })).cancelRequestedBy).toBeNull()
})

test('while sales are paused no order is started, and those that exist are paid and delivered', async () => {
  const pause = (minutes: number) => ops(pauseSales, { body: { minutes, ...operatorAction } })
  const open = await givenOpenOrder(payments)
  const { pause: paused } = await pause(60)
  expect(paused).toMatchObject({ by: 'ada', ...operatorAction })
  expect(Date.parse(paused!.until)).toBeGreaterThan(Date.now() + 59 * 60_000)

  const refused = await start(payments, peers.givenBuyer(), cartOf(peers.givenItem()))
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'sales_paused'])
  expect((await start(payments, open.buyer, cartOf(...open.items))).json().orderId).toBe(open.orderId)
  await sandbox.pay(open.url)
  await waitForLines(payments, open.orderId, 'authorised')

  expect(await pause(0)).toEqual({ pause: null })
  expect(await ops(getSalesPause)).toEqual({ pause: null })
  for (const minutes of [1_441, -1, 0.5]) await expect(pause(minutes)).rejects.toMatchObject({ statusCode: 400 })
  expect(await listOperatorActions(db, ['sales'])).toMatchObject([
    { action: 'pause-sales', ...operatorAction },
    { action: 'resume-sales', ...operatorAction },
  ])
  expect((await start(payments, peers.givenBuyer(), cartOf(peers.givenItem()))).statusCode).toBe(200)
})

test('figures of today have orders, money by kind, refunds, disputes and minutes to the delivery', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const read = async () => (await ops(getSalesStatistics, { query: { from: today, to: today } })).periods[0]!
  const before = await read()

  await givenOpenOrder(payments)
  const refunded = await givenCompleted({ creatorId: randomUUID() })
  await ops(refundLine, { body: { lineId: refunded.lines[0]!.id, ...operatorAction } })
  await givenDisputed()

  const after = await read()
  const grown = Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) =>
      typeof value === 'number' ? [[name, value - (before[name as keyof typeof before] as number)]] : [],
    ),
  )
  expect(grown).toEqual({
    ordersStarted: 3,
    ordersPaid: 2,
    ordersCompleted: 2,
    worksSold: 2,
    gross: 240,
    commission: expect.closeTo((240 * payments.config.commissionBps) / 10_000),
    royalties: 6,
    refunds: 1,
    refunded: 120,
    disputes: 1,
    disputed: 120,
  })
  expect(after).toMatchObject({ from: today, to: today, deliveryMinutes: { median: 1, p95: 1 } })
})

test('figures of a day until a time of day leave out what came later', async () => {
  const day = '2024-02-29'
  const { orderId } = await givenOpenOrder(payments)
  await sql`update orders set created_at = ${`${day}T14:30:00Z`} where id = ${orderId}`.execute(db)
  const started = async (until?: string) =>
    (await ops(getSalesStatistics, { query: { from: day, to: day, until } })).periods[0]!.ordersStarted
  expect([await started('14:30'), await started('14:31'), await started()]).toEqual([0, 1, 1])
  await expect(
    ops(getSalesStatistics, { query: { from: day, to: '2024-03-01', until: '14:30' } }),
  ).rejects.toMatchObject({ statusCode: 400, code: 'invalid_period' })
})

/** A completed order whose payment is disputed, once payments has the dispute. */
async function givenDisputed() {
  const order = await givenCompleted({ name: 'Dusk' })
  const { id } = await sandbox.dispute(await intentOf(payments, order.orderId))
  await waitForLines(payments, order.orderId, 'disputed')
  return { ...order, disputeId: id as string }
}

const submit = (id: string, evidence: object) =>
  ops(submitEvidence, { params: { id }, body: { evidence, ...operatorAction } })

test('the evidence about a dispute has order, delivery, customer and the accepted terms', async () => {
  const { disputeId, orderId, lines: sold } = await givenDisputed()

  const pack = await ops(getEvidence, { params: { id: disputeId } })

  const { disputes } = await ops(listDisputes)
  expect(pack).toMatchObject({
    orderId,
    lineIds: [sold[0]!.id],
    takesEvidence: true,
    dispute: { id: disputeId, amount: 120 },
  })
  expect(pack.dueBy).toBe(disputes.find(({ id }) => id === disputeId)!.dueBy)
  const fileOf = (name: string) => pack.files.find((file) => file.name === name)!.text
  const [text, json] = [fileOf('order.txt'), JSON.parse(fileOf('order.json'))]
  expect(text).toContain(`Order ${orderId}`)
  expect(text).toContain(`"Dusk", EUR 120.00, token ${sold[0]!.identifier}`)
  expect(text).toContain(`delivered by the blockchain transaction ${txHash}`)
  expect(json).toMatchObject({ order: { _id: orderId, lines: [{ txHash }] }, held: 120 })
  expect(fileOf(`terms-${json.order.termsVersion}.md`)).toBe(payments.config.terms.text)
  expect(pack.evidence).toMatchObject({ customerEmail: expect.stringContaining('@'), serviceDate: expect.any(String) })
  expect(`${pack.evidence.text}\n`).toBe(text)
  await expect(ops(getEvidence, { params: { id: 'dp_unknown' } })).rejects.toMatchObject({ code: 'dispute_not_found' })
})

test('evidence is submitted once; afterwards, and once the dispute is decided, it is a 409 with the present state', async () => {
  const { disputeId, orderId } = await givenDisputed()
  const { evidence } = await ops(getEvidence, { params: { id: disputeId } })

  expect(await submit(disputeId, evidence)).toMatchObject({ id: disputeId, status: 'under_review' })

  const stored = await new Stripe('sk_test_sandbox', sandboxAddress()).disputes.retrieve(disputeId)
  expect(stored).toMatchObject({
    evidence: { uncategorized_text: evidence.text, customer_email_address: evidence.customerEmail },
    evidence_details: { submission_count: 1 },
  })
  const refused = (status: string) => ({ code: 'dispute_takes_no_evidence', extras: { details: { status } } })
  await expect(submit(disputeId, { text: 'more' })).rejects.toMatchObject(refused('under_review'))
  await sandbox.closeDispute(disputeId, 'won')
  await expect(submit(disputeId, { text: 'more' })).rejects.toMatchObject(refused('won'))
  const { actions } = await ops(getOrderHistory, { params: { id: orderId } })
  expect(actions).toMatchObject([{ action: 'submit-evidence', operator: 'ada', ...operatorAction }])
})
