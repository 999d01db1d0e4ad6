import { freeItem } from '@nifty/api/payments/ops'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { reconcile } from '../testing/reconciliation.ts'
import { givenOpenOrder, publishedEvents } from '../testing/sale.ts'
import { freeLostReservations } from './lost-reservations.actions.ts'

const operatorAction = { reason: 'a test' }
const longAgo = '2026-01-01T00:00:00.000Z'

async function given() {
  const payments = await startTestPayments({ manual: true })
  const lost = payments.peers.givenItem({ reservedBy: crypto.randomUUID(), reservedUntil: longAgo })
  const { orderId, items } = await givenOpenOrder(payments)
  items[0]!.reservedUntil = longAgo
  const freed = async () => (await publishedEvents(payments, 'order-line-abandoned')).map(({ data }) => data)
  return { payments, lost, open: { orderId, item: items[0]! }, freed }
}

test('a work that is reserved for an order that payments does not have is freed; one of an open order is not', async () => {
  const { payments, lost, open, freed } = await given()
  await freeLostReservations(payments.deps)
  expect(await freed()).toMatchObject([{ orderId: lost.reservedBy, itemId: lost.itemId }])

  const { db } = payments
  await db.updateTable('line').set({ state: 'released', reason: 'expired' }).execute()
  lost.reservedBy = null
  await freeLostReservations(payments.deps)
  expect((await freed()).slice(1)).toMatchObject([{ orderId: open.orderId, itemId: open.item.itemId }])
})

test('a reconciliation finds a reservation without an open order until catalog has freed it', async () => {
  const { payments, lost } = await given()
  expect((await reconcile(payments)).differences).toMatchObject([
    { kind: 'reservation', subject: lost.itemId, orderId: lost.reservedBy },
  ])
  lost.reservedBy = null
  expect((await reconcile(payments)).differences).toEqual([])
})

test('ops free-item frees a work at once, unless its order is open or unknown', async () => {
  const { payments, lost, open, freed } = await given()
  const free = (itemId: string) => payments.internal(freeItem, { body: { itemId, ...operatorAction } })
  await expect(free(open.item.itemId)).rejects.toMatchObject({ statusCode: 409, code: 'item_in_order' })
  await expect(free(crypto.randomUUID())).rejects.toMatchObject({ statusCode: 404, code: 'not_reserved' })
  await payments.sandbox.fault({ request: 'GET /v1/checkout/sessions', mode: 'error_before', times: 5 })
  await expect(free(lost.itemId)).rejects.toMatchObject({ statusCode: 503, code: 'processor_unavailable' })
  expect(await freed()).toEqual([])

  await payments.sandbox.heal()
  expect(await free(lost.itemId)).toEqual({ orderId: lost.reservedBy })
  expect(await freed()).toMatchObject([{ itemId: lost.itemId }])
})
