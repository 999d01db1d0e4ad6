import type { Run } from '../db.ts'
import type { StepDeps } from '../orders/run-step.ts'
import { allOrders } from './all-orders.step.ts'
import { causeOf, naming } from './cause.ts'
import { deliveries } from './deliveries.step.ts'
import { differences } from './differences.ts'
import { intents } from './intents.step.ts'
import { items } from './items.step.ts'
import { orders } from './orders.step.ts'
import { owners } from './owners.step.ts'
import { payouts } from './payouts.step.ts'
import { insertDueRun, lockRun, postponePage, saveRun } from './reconciliation.store.ts'
import { add, nothing, type StepName, stepAfter } from './reconciliation.ts'
import type { Page, ReconciliationStep } from './reconciliation-step.ts'
import { reservations } from './reservations.step.ts'
import { disputes, refunds } from './reversals.step.ts'

const steps: Record<StepName, ReconciliationStep> = {
  all_orders: allOrders,
  refunds,
  disputes,
  intents,
  orders,
  payouts,
  deliveries,
  owners,
  items,
  reservations,
  differences,
}

/**
 * Runs one page of the run that is not finished, in one transaction under its lock. Starts a run that is due. Returns
 * false when no page is due. A failed page is rolled back, its cause is stored, and it is repeated later.
 */
export async function runReconciliationPage(deps: StepDeps): Promise<boolean> {
  await insertDueRun(deps.longPool, deps.config.reconcileEveryMs)
  let run: Run | undefined
  try {
    return await deps.longPool.transaction().execute(async (trx) => {
      run = await lockRun(trx)
      if (!run) return false
      const clients = { minting: naming('minting', deps.minting), catalog: naming('catalog', deps.catalog) }
      const page = await steps[run.step!]({ ...deps, ...clients, trx, run })
      await saveRun(trx, run.id, after(run, page))
      return true
    })
  } catch (error) {
    if (!run) throw error
    const cause = `${run.step}: ${causeOf(error)}`
    deps.log.warn({ err: error, cause }, 'reconciliation: page failed, retrying later')
    await postponePage(deps.longPool, run.id, cause)
    return false
  }
}

const after = (
  run: Run,
  { cursor, compared, foreign = 0, ours = nothing, processor = nothing, nextPageInMs = 0 }: Page,
) => ({
  step: cursor === null ? stepAfter(run.step, run.isFull) : run.step,
  cursor,
  compared: {
    ...run.compared,
    [run.step!]: (run.compared[run.step!] ?? 0) + compared,
    ...(foreign > 0 ? { of_other_shops: (run.compared.of_other_shops ?? 0) + foreign } : {}),
  },
  ours: add(run.ours, ours),
  processor: add(run.processor, processor),
  nextPageInMs,
})
