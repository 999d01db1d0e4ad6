import type { Keys } from '@nifty/service-kit/base/secrets'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { Kysely } from 'kysely'
import type { Database } from './db.ts'
import type { Store } from './mails/email-layout.ts'

/** Dependencies of the routes. */
export type Deps = {
  db: Kysely<Database>
  auth: ServiceClient
  store: Store
  operatorEmail: string
  mailTokenKeys: Keys
}
