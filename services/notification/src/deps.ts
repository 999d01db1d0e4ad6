import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { Kysely } from 'kysely'
import type { Database } from './db.ts'

/** Dependencies of the routes. */
export type Deps = {
  db: Kysely<Database>
  auth: ServiceClient
  publicUrl: string
  operatorEmail: string
  mailTokenKey: string
}
