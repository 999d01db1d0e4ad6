import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { Log } from '@nifty/service-kit/logs'
import type { Kysely } from 'kysely'
import type { Config } from './config.ts'
import type { Database } from './db.ts'
import type { StepDeps } from './orders/run-step.ts'
import type { OrderRunner } from './orders/run-until.ts'

/** Dependencies of the public routes. */
export type Deps = {
  db: Kysely<Database>
  log: Log
  auth: ServiceClient
  runner: OrderRunner
  config: Config
  livemode: boolean
}

/** Dependencies of the operators' routes. */
export type InternalDeps = StepDeps & { db: Kysely<Database>; runner: OrderRunner }
