import type { Authenticate } from '@nifty/service-kit/http/authentication'
import type { ServiceClient } from '@nifty/service-kit/http/internal'
import type { Log } from '@nifty/service-kit/logs'
import type { Kysely } from 'kysely'
import type { Config } from './config.ts'
import type { Database } from './db.ts'
import type { Advancing } from './orders/run-step.ts'
import type { Drive } from './orders/run-until.ts'

/** What public routes get. */
export type Deps = {
  db: Kysely<Database>
  log: Log
  auth: ServiceClient
  drive: Drive
  config: Config
  livemode: boolean
  authenticate: Authenticate
}

/** What operators' routes get. */
export type InternalDeps = Advancing & { db: Kysely<Database>; drive: Drive }
