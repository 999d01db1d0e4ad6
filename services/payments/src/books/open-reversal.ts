import { sql } from 'kysely'
import { closedDisputeStatuses } from '../processor/reversal.ts'

// Of a row of `reversal`.

/** The bank has not decided a dispute or an inquiry. */
export const isDisputeOpen = sql<boolean>`(
  reversal.kind = 'dispute' and reversal.status <> all(${closedDisputeStatuses}::text[]))`

/** How a bank contests the payment: `fraud_warning`, `inquiry` or `disputed`. */
export const contest = sql<string>`case
  when reversal.kind = 'fraud_warning' then 'fraud_warning'
  when starts_with(reversal.status, 'warning_') then 'inquiry' else 'disputed' end`

/** A bank contests the payment, and no operator cleared that. `cleared` has the stage, as in `contestStage`. */
export const isContesting = sql<boolean>`(
  reversal.kind = 'fraud_warning' and reversal.cleared is null
  or ${isDisputeOpen} and reversal.cleared is distinct from
    case when starts_with(reversal.status, 'warning_') then 'inquiry' else 'dispute' end)`

export const isRefundPending = sql<boolean>`(
  reversal.kind = 'refund' and reversal.status in ('pending', 'requires_action'))`

/** Money left the payment, and no operator has decided who bears it. */
export const isUndecided = sql<boolean>`(reversal.withdrawn_cents > 0 and reversal.borne_by is null)`

/** The bank may still change it. A refund can fail up to 30 days after it succeeded. */
export const isReversalOpen = sql<boolean>`(
  ${isDisputeOpen}
  or reversal.kind = 'refund' and reversal.status not in ('failed', 'canceled')
    and reversal.created_at > now() - interval '30 days')`
