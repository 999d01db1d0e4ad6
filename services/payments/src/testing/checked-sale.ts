import { anyOf } from '@nifty/service-kit/database/database'
import { linesOf } from '../orders/line.store.ts'
import type { LineState } from '../orders/line.ts'
import { findOrder } from '../orders/order.store.ts'
import type { SaleStep, StepContext, StepName, StepResult } from '../orders/run-step.ts'
import { nextStep, sale } from '../orders/steps/sale.ts'

/** The steps of a sale, each of which fails if it does what its entry in `sale.ts` does not have. */
export const checkedSale: readonly SaleStep[] = sale.map((step) => ({
  ...step,
  run: async (context) => {
    const movesBefore = await movesOf(context)
    const result = await step.run(context)
    const unexpected = [
      ...(await movesOf(context)).slice(movesBefore.length).filter(([from, to]) => !step.moves[from]?.includes(to)),
      ...(await followingStep(context, result)).filter((next) => next !== step.step && !step.next.includes(next)),
    ]
    if (unexpected.length > 0) throw new Error(`${step.step} in sale.ts has no ${unexpected.join(', ')}`)
    return result
  },
}))

/** The transitions of the lines of an order so far. */
async function movesOf({ trx, lines }: StepContext): Promise<[LineState, LineState][]> {
  const ids = lines.map(({ id }) => id)
  const history = trx.selectFrom('lineHistory').select(['fromState', 'toState']).where('lineId', '=', anyOf(ids))
  return (await history.orderBy('id').execute()).map(({ fromState, toState }) => [fromState!, toState])
}

/** The step that is due by what is stored once the step has been run. */
async function followingStep({ trx, order }: StepContext, { changes }: StepResult): Promise<StepName[]> {
  const stored = (await findOrder(trx, order.id))!
  const next = nextStep({ ...stored, ...changes } as typeof stored, await linesOf(trx, order.id), order.now)
  return next ? [next.step] : []
}
