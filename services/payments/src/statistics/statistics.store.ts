import type { DailyFigures } from '@nifty/service-kit/database/statistics'
import { sql } from 'kysely'

/**
 * A page of the processor is open for at most a day, an offer can be accepted for five days, and an auction with all
 * its extensions takes four: so long after its start an order is paid.
 */
const PAID_WITHIN = sql`interval '7 days'`

/**
 * Cents. An offer counts as an order that is started and paid when it is accepted, a bid when it has won.
 * `deliveryMinutes`: deliveries by their minutes from the authorisation on, rounded up.
 */
export const salesFigures: DailyFigures = {
  firstDay: async (db) => {
    const { rows } = await sql<{ day: string | null }>`
      select (min(created_at) at time zone 'utc')::date::text as day from orders`.execute(db)
    return rows[0]!.day
  },
  count: async (db, { start, end }) => {
    const { rows: orders } = await sql<{ ordersStarted: number; ordersPaid: number }>`
      select count(*) filter (
          where case order_kind when 'purchase' then created_at >= ${start}
            else authorised_at >= ${start} and authorised_at < ${end} end)::int as orders_started,
        count(*) filter (where authorised_at >= ${start} and authorised_at < ${end})::int as orders_paid
      from orders where created_at >= ${start}::timestamptz - ${PAID_WITHIN} and created_at < ${end}`.execute(db)
    const { rows: books } = await sql<Record<string, number>>`
      select count(distinct line.order_id) filter (where cause = 'capture')::int as orders_completed,
        count(distinct line_id) filter (where cause = 'capture')::int as works_sold,
        coalesce(sum(amount_cents) filter (where cause = 'capture'), 0)::float8 as gross_cents,
        coalesce(sum(amount_cents) filter (where cause = 'capture' and kind = 'commission'), 0)::float8 as commission_cents,
        coalesce(sum(amount_cents) filter (where cause = 'capture' and kind = 'royalty'), 0)::float8 as royalty_cents,
        count(distinct reversal_id) filter (where cause = 'refund')::int as refunds,
        -coalesce(sum(amount_cents) filter (where cause = 'refund'), 0)::float8 as refunded_cents,
        count(distinct reversal_id) filter (where cause = 'dispute')::int as disputes,
        -coalesce(sum(amount_cents) filter (where cause = 'dispute'), 0)::float8 as disputed_cents
      from book_entry join line on line.id = line_id
      where book_entry.at >= ${start} and book_entry.at < ${end}`.execute(db)
    const { rows: deliveries } = await sql<{ minutes: number; count: number }>`
      select ceil(extract(epoch from delivered.at - authorised_at) / 60)::int as minutes, count(*)::int as count
      from book_entry
      join line on line.id = book_entry.line_id
      join orders on orders.id = line.order_id
      join lateral (
        select at from line_history where line_id = line.id and to_state = 'delivered' order by id desc limit 1
      ) delivered on true
      where book_entry.at >= ${start} and book_entry.at < ${end} and cause = 'capture' and kind = 'sale'
        and authorised_at is not null
      group by 1`.execute(db)
    const deliveryMinutes = Object.fromEntries(deliveries.map(({ minutes, count }) => [String(minutes), count]))
    return { ...orders[0]!, ...books[0]!, deliveryMinutes }
  },
}
