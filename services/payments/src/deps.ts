import type { Kysely } from 'kysely'
import type { Database } from './db.ts'
import type { StepDeps } from './orders/run-step.ts'
import type { OrderRunner } from './orders/run-until.ts'

/** Dependencies of the routes. `db`: the main pool, for short transactions. */
export type Deps = StepDeps & { db: Kysely<Database>; runner: OrderRunner }
