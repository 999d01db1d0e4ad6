import { lineStates } from '@nifty/api/payments/line-states'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { givenHeldOffer, givenOpenOffer } from '../testing/offer.ts'
import { startTestPayments } from '../testing/payments.ts'
import { givenOpenOrder, givenPaidOrder, lines } from '../testing/sale.ts'
import { transitions } from './line.ts'

test('the database allows exactly the transitions of the code', async () => {
  const { db } = await startTestPayments({ manual: true })
  const rows = await db.selectFrom('lineTransition').selectAll().execute()
  const inDatabase = rows.map(({ fromState, toState }) => `${fromState} ${toState}`).sort()
  const inCode = lineStates.flatMap((from) => transitions[from].map((to) => `${from} ${to}`)).sort()
  expect(inDatabase).toEqual(inCode)
})

test('the database refuses a transition that is not in its table', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId } = await givenOpenOrder(payments)
  const [line] = await lines(payments, orderId)
  for (const state of ['delivering', 'delivered', 'completed', 'placed'] as const)
    await expect(payments.db.updateTable('line').set({ state }).where('id', '=', line!.id).execute()).rejects.toThrow(
      `a line cannot go from awaiting_payment to ${state}`,
    )
})

test('the item of a line is immutable, and its history append-only', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId } = await givenOpenOrder(payments)
  const { db } = payments
  const [line] = await lines(payments, orderId)
  const changed = { itemId: crypto.randomUUID() } as never
  await expect(db.updateTable('line').set(changed).where('id', '=', line!.id).execute()).rejects.toThrow('immutable')
  const cheaper = db.updateTable('line').set({ priceCents: 60 }).where('id', '=', line!.id)
  await expect(cheaper.execute()).rejects.toThrow('the price of a line can only fall')
  await expect(db.deleteFrom('line').where('id', '=', line!.id).execute()).rejects.toThrow('append-only')
  await expect(db.deleteFrom('lineHistory').execute()).rejects.toThrow('append-only')
  await expect(db.updateTable('lineHistory').set({ note: 'x' }).execute()).rejects.toThrow('append-only')
})

test('an item has one sale in progress, and its buyer is not its seller', async () => {
  const payments = await startTestPayments()
  const { items, lines: sold } = await givenPaidOrder(payments)
  const other = await givenOpenOrder(payments)
  const [line] = await lines(payments, other.orderId)
  const { db } = payments
  const row = { ...line!, note: null, state: 'placed' as const, sellerUsername: null }
  const insert = (changes: object) =>
    db
      .insertInto('line')
      .values({ ...row, ...changes })
      .execute()

  const sameItem = { id: crypto.randomUUID(), itemId: items[0]!.itemId }
  await expect(insert(sameItem)).rejects.toThrow('line_live')
  const ownItem = { id: crypto.randomUUID(), itemId: crypto.randomUUID(), sellerId: line!.buyerId }
  await expect(insert(ownItem)).rejects.toThrow('check constraint')
  expect(sold).toHaveLength(1)
})

test('every transition is in the history', async () => {
  const payments = await startTestPayments()
  const { lines: sold } = await givenPaidOrder(payments)
  const history = await payments.db
    .selectFrom('lineHistory')
    .selectAll()
    .where('lineId', '=', sold[0]!.id)
    .orderBy('id')
    .execute()
  expect(history.map(({ fromState, toState }) => [fromState, toState])).toEqual([
    [null, 'placed'],
    ['placed', 'awaiting_payment'],
    ['awaiting_payment', 'authorised'],
  ])
})

test('an offer is held before it is delivered, and by no purchase; a former process is refused', async () => {
  const payments = await startTestPayments({ manual: true })
  const [offer, order] = [await givenOpenOffer(payments), await givenOpenOrder(payments)]
  const set = (orderId: string, changes: object) =>
    payments.db.updateTable('line').set(changes).where('orderId', '=', orderId).execute()
  await expect(set(offer.orderId, { state: 'authorised' })).rejects.toThrow(
    'the sale of a conditional line is not decided',
  )
  await expect(set(order.orderId, { state: 'held' })).rejects.toThrow('that is not conditional is decided')
  for (const { orderId } of [offer, order])
    await expect(set(orderId, { conditional: sql`not conditional` })).rejects.toThrow('immutable')

  await set(offer.orderId, { state: 'held' })
  await expect(set(offer.orderId, { priceCents: 8_999 })).rejects.toThrow('can only fall')
  await expect(set(offer.orderId, { state: 'authorised', priceCents: 9_001 })).rejects.toThrow('can only fall')
  await set(offer.orderId, { state: 'authorised', priceCents: 8_999 })
  await expect(set(offer.orderId, { priceCents: 8_998 })).rejects.toThrow('can only fall')
})

test('a row of a process without offers is that of a purchase', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId } = await givenOpenOrder(payments)
  const { db } = payments
  const { rows } = await sql<{ id: string }>`
    insert into orders (id, buyer_id, wallet, terms_version, total_cents, commission_bps, expires_at)
    select gen_random_uuid(), buyer_id, wallet, terms_version, total_cents, commission_bps, expires_at
    from orders where id = ${orderId} returning id, order_kind, days, decide_by`.execute(db)
  expect(rows).toMatchObject([{ orderKind: 'purchase', days: null, decideBy: null }])
  const line = { ...(await lines(payments, orderId))[0]!, id: crypto.randomUUID(), itemId: crypto.randomUUID() }
  const { conditional: _unset, ...former } = { ...line, orderId: rows[0]!.id, state: 'placed' as const }
  await db.insertInto('line').values(former).execute()
  expect(await lines(payments, rows[0]!.id)).toMatchObject([{ conditional: false }])
})

test('a work has many offers, of each buyer one open page, and one sale in progress', async () => {
  const payments = await startTestPayments()
  const held = await givenHeldOffer(payments)
  const { item } = held
  const [open, other] = [await givenOpenOffer(payments, { item }), await givenHeldOffer(payments, { item })]
  const [line] = await lines(payments, open.orderId)
  const elsewhere = { id: crypto.randomUUID(), orderId: (await givenOpenOffer(payments)).orderId }
  const again = { ...line!, ...elsewhere, state: 'placed' as const }
  await expect(payments.db.insertInto('line').values(again).execute()).rejects.toThrow('line_bid_page')

  const decide = (orderId: string) =>
    payments.db.updateTable('line').set({ state: 'authorised' }).where('orderId', '=', orderId).execute()
  await decide(held.orderId)
  await expect(decide(other.orderId)).rejects.toThrow('line_live')
})
