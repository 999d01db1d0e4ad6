import { waitUntil } from '@nifty/testkit/wait-until'
import { query } from '../cluster/postgres.ts'
import type { Paid } from './starts.ts'

/**
 * How long each paid order took until it was authorised, ms: by the history of its lines, on the clock of this machine.
 */
export async function untilAuthorised(postgresUrl: string, paid: Paid[]): Promise<number[]> {
  const ids = paid.map(({ orderId }) => orderId)
  const authorised = await waitUntil(
    async () => {
      const rows = await query<{ orderId: string; at: Date }>(
        postgresUrl,
        `select order_id as "orderId", line_history.at from line_history join line on line.id = line_id
         where to_state = 'authorised' and order_id = any($1)`,
        { database: 'payments', values: [ids] },
      )
      return rows.length === ids.length ? new Map(rows.map(({ orderId, at }) => [orderId, at.getTime()])) : undefined
    },
    { timeoutMs: 300_000, intervalMs: 1_000 },
  )
  return paid.map(({ orderId, at }) => authorised.get(orderId)! - at)
}
