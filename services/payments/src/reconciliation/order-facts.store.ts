import { type Kysely, sql } from 'kysely'
import { isReversalOpen } from '../books/open-reversal.ts'
import type { Database } from '../db.ts'

type Booked = {
  bookedCents: number
  withdrawnCents: number
  /** The bank may still change a refund or dispute. */
  isReversalOpen: boolean
  deliveredLines: string[]
}

const none: Booked = { bookedCents: 0, withdrawnCents: 0, isReversalOpen: false, deliveredLines: [] }

/** What is stored about the money of some orders beside the orders themselves, cents. */
export async function storedFacts(db: Kysely<Database>, orderIds: string[]): Promise<(orderId: string) => Booked> {
  if (orderIds.length === 0) return () => none
  const { rows } = await sql<Booked & { orderId: string }>`
    select order_id,
      coalesce(sum((select sum(amount_cents) from book_entry where line_id = line.id)), 0)::bigint as booked_cents,
      coalesce((select sum(withdrawn_cents) from reversal where reversal.order_id = line.order_id), 0)::bigint
        as withdrawn_cents,
      exists (select from reversal where reversal.order_id = line.order_id and ${isReversalOpen}) as is_reversal_open,
      coalesce(array_agg(id) filter (
        where state in ('delivered', 'capture_due', 'written_off', 'completed', 'refunded', 'disputed')), '{}')
        as delivered_lines
    from line where order_id = any(${orderIds}::uuid[]) group by order_id`.execute(db)
  const byOrder = new Map(rows.map(({ orderId, ...facts }) => [orderId, facts]))
  return (orderId) => byOrder.get(orderId) ?? none
}
