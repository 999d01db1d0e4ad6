import { sql } from 'kysely'
import { closedDisputeStatuses } from '../processor/reversal.ts'

/** Of a row of `reversal`: the bank may still change it. A refund can fail up to 30 days after it succeeded. */
export const isReversalOpen = sql<boolean>`(
  reversal.kind = 'dispute' and reversal.status <> all(${closedDisputeStatuses}::text[])
  or reversal.kind = 'refund' and reversal.status not in ('failed', 'canceled')
    and reversal.created_at > now() - interval '30 days')`
