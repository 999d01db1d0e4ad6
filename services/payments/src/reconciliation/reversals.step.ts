import { anyOf } from '@nifty/service-kit/database/database'
import type { Period } from '../processor/processor.ts'
import { markUnreconciled } from './reconciliation.store.ts'
import type { ReconciliationStep, StepContext } from './reconciliation-step.ts'

type Reversal = { id: string; payment_intent: string | { id: string } | null }
type List = (period: Period, after: string | null) => Promise<{ data: Reversal[]; has_more: boolean }>

/** Refunds and disputes of the period require that their orders are compared, however old those are. */
const reversals =
  (listOf: (context: StepContext) => List): ReconciliationStep =>
  async (context) => {
    const { trx, run } = context
    const { data, has_more } = await listOf(context)(run, run.cursor)
    const intentIds = data.flatMap(({ payment_intent: intent }) =>
      typeof intent === 'string' ? intent : (intent?.id ?? []),
    )
    if (intentIds.length > 0) {
      const orders = await trx.selectFrom('orders').select('id').where('intentId', '=', anyOf(intentIds)).execute()
      await markUnreconciled(
        trx,
        orders.map(({ id }) => id),
      )
    }
    return { cursor: has_more ? data.at(-1)!.id : null, compared: data.length }
  }

export const refunds = reversals(({ processor }) => processor.refundsOf)
export const disputes = reversals(({ processor }) => processor.disputesOf)
