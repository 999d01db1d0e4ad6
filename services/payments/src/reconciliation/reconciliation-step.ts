import type { Transaction } from 'kysely'
import type { Database, Run } from '../db.ts'
import type { StepDeps } from '../orders/run-step.ts'
import type { Sums } from './reconciliation.ts'

/** Arguments of a step. The run is locked by `trx`. */
export type StepContext = StepDeps & { trx: Transaction<Database>; run: Run }

/**
 * Result of a page. `cursor`: where the step continues, null when it is done. `foreign`: payments of other shops, which
 * are not compared. Sums of the orders that it compared.
 */
export type Page = {
  cursor: string | null
  compared: number
  foreign?: number
  ours?: Sums
  processor?: Sums
  nextPageInMs?: number
}

export type ReconciliationStep = (context: StepContext) => Promise<Page>
