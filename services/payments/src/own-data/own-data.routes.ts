import { announceExport } from '@nifty/api/auth/internal'
import { exportOrders } from '@nifty/api/own-data'
import { readOwnData, type Section, securityEventsOf } from '@nifty/service-kit/database/own-data'
import { registerOwnDataExport } from '@nifty/service-kit/http/own-data.routes'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/** Export of the caller's own data. */
export const ownDataRoutes: FastifyPluginAsync<Deps> = async (app, { db, auth }) => {
  registerRoute(app, exportOrders, async (request) => {
    const { userId } = callerOf(request)
    await auth(announceExport, { params: { id: userId } })
    return readOwnData(db, sectionsOf(userId), request.query.after)
  })
}

/** For operators; only on the internal port. */
export const ownDataOpsRoutes: FastifyPluginAsync<Pick<Deps, 'db'>> = async (app, { db }) =>
  registerOwnDataExport(app, db, sectionsOf)

const sectionsOf = (userId: string): Section[] => [
  {
    kind: 'order',
    query: sql`
      select id::text as key, id, order_kind as kind, days, decide_by, auction_id, wallet, is_gift, gift->>'email' as gift_email, gift->>'text' as gift_text, terms_version, total_cents, money, held_cents, captured_cents, created_at,
        authorised_at, expires_at, deliver_by, declined
      from orders where buyer_id = ${userId}`,
  },
  {
    kind: 'order_line',
    query: sql`
      select line.id::text as key, line.id, order_id, item_id, name, image, contract, identifier, seller_username,
        price_cents, line.captured_cents, state, reason, tx_hash
      from orders join line on line.order_id = orders.id where orders.buyer_id = ${userId}`,
  },
  {
    kind: 'refund',
    query: sql`
      select refund.id::text as key, line_id, amount_cents, refund.state, requested_at, resolved_at
      from orders join line on line.order_id = orders.id join refund on refund.line_id = line.id
      where orders.buyer_id = ${userId}`,
  },
  {
    kind: 'share',
    query: sql`
      select lpad(book_entry.id::text, 19, '0') as key, line_id, item_id, name, kind, cause, amount_cents, at, payout_id
      from book_entry join line on line.id = line_id where user_id = ${userId}`,
  },
  {
    kind: 'payout',
    query: sql`
      select id::text as key, id, amount_cents, payout.at, payout_return.at as returned_at
      from payout left join payout_return on payout_id = id where user_id = ${userId}`,
  },
  {
    kind: 'remembered_cards',
    query: sql`
      select user_id::text as key, since, forget_requested_at
      from card_customer where user_id = ${userId} and customer_id is not null`,
  },
  securityEventsOf(userId),
]
