import type { StepDeps } from './orders/run-step.ts'
import type { OrderRunner } from './orders/run-until.ts'

/** Dependencies of the routes. `db`: the main pool, for short transactions. */
export type Deps = StepDeps & { runner: OrderRunner }
