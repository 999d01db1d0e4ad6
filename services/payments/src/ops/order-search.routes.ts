import * as api from '@nifty/api/payments/order-search'
import { listSales } from '@nifty/api/payments/sales'
import { toEuros } from '@nifty/api/shapes'
import { conflict, invalidCursor } from '@nifty/service-kit/base/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import { entriesOfMonth, hasEntryInMonth } from '../books/month-entries.store.ts'
import type { Line, Order } from '../db.ts'
import type { Deps } from '../deps.ts'
import { linesOfOrders } from '../orders/line.store.ts'
import { orderState } from '../orders/line.ts'
import { orderNotFound } from '../orders/order.errors.ts'
import { findOrder } from '../orders/order.store.ts'
import { saveNote, viewNote } from './order-note.store.ts'
import { findOrders } from './order-search.store.ts'

const ORDERS_PAGE = 50
const ENTRIES_PAGE = 1_000

/** What operators find by what people see, and write down about it. */
export const opsOrderSearchRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.searchOrders, async ({ body }) => {
    if (body.after !== undefined && !(await findOrder(db, body.after))) throw invalidCursor()
    const { page, lines, hasMore } = await db.transaction().execute(async (trx) => {
      // How many orders match decides which index is read.
      await sql`set local plan_cache_mode = force_custom_plan`.execute(trx)
      const found = await findOrders(trx, body, ORDERS_PAGE + 1)
      const page = found.slice(0, ORDERS_PAGE)
      const ids = page.map(({ id }) => id)
      return { page, lines: await linesOfOrders(trx, ids), hasMore: found.length > page.length }
    })
    const linesByOrder = Map.groupBy(lines, ({ orderId }) => orderId)
    return {
      orders: page.map((order) => viewFound(order, linesByOrder.get(order.id) ?? [])),
      next: hasMore ? page.at(-1)!.id : null,
    }
  })

  registerRoute(app, api.addOrderNote, async (request) => {
    const { noteId, text, operator } = actionOf(request)
    const orderId = request.params.id
    if (!(await findOrder(db, orderId))) throw orderNotFound()
    const note = { id: noteId, orderId, operator, text: text.trim() }
    const saved = await db.transaction().execute((trx) => saveNote(trx, note))
    if (saved.orderId !== orderId || saved.text !== note.text || saved.operator !== operator)
      throw conflict('note_exists', 'Another note has this id')
    return viewNote(saved)
  })

  registerRoute(app, listSales, async ({ params: { month }, query }) => {
    const after = query.after === undefined ? undefined : Number(query.after)
    if (after !== undefined && !(await hasEntryInMonth(db, month, after))) throw invalidCursor()
    const found = await entriesOfMonth(db, month, { after, limit: ENTRIES_PAGE + 1 })
    const page = found.slice(0, ENTRIES_PAGE)
    return {
      entries: page.map(({ id: _id, at, amountCents, contract, identifier, ...entry }) => ({
        ...entry,
        at: at.toISOString(),
        token: tokenOf({ contract, identifier }),
        amount: toEuros(amountCents),
      })),
      next: found.length > page.length ? String(page.at(-1)!.id) : null,
    }
  })
}

const tokenOf = ({ contract, identifier }: Pick<Line, 'contract' | 'identifier'>) =>
  contract === null ? null : `${contract}/${identifier}`

const viewFound = (order: Order, lines: Line[]): api.FoundOrder => ({
  _id: order.id,
  kind: order.orderKind,
  buyerId: order.buyerId,
  state: orderState(lines),
  money: order.money,
  total: toEuros(order.totalCents),
  captured: toEuros(order.capturedCents),
  createdAt: order.createdAt.toISOString(),
  intentId: order.intentId,
  lines: lines.map((line) => ({
    _id: line.id,
    itemId: line.itemId,
    token: tokenOf(line),
    name: line.name ?? '',
    sellerId: line.sellerId,
    sellerUsername: line.sellerUsername,
    price: toEuros(line.priceCents),
    state: line.state,
    txHash: line.txHash,
  })),
})
