import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'
import { closedDisputeStatuses } from '../processor/reversal.ts'

type Booked = {
  bookedCents: number
  withdrawnCents: number
  /** A refund or dispute that the bank may still change. A refund can fail up to 30 days after it succeeded. */
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
      exists (select from reversal where reversal.order_id = line.order_id and (
        kind = 'dispute' and status <> all(${closedDisputeStatuses}::text[])
        or kind = 'refund' and status not in ('failed', 'canceled') and created_at > now() - interval '30 days'))
        as is_reversal_open,
      coalesce(array_agg(id) filter (
        where state in ('delivered', 'capture_due', 'written_off', 'completed', 'refunded', 'disputed')), '{}')
        as delivered_lines
    from line where order_id = any(${orderIds}::uuid[]) group by order_id`.execute(db)
  const byOrder = new Map(rows.map(({ orderId, ...facts }) => [orderId, facts]))
  return (orderId) => byOrder.get(orderId) ?? none
}
