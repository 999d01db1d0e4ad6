import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { Kysely } from 'kysely'
import type { CachedResponses } from './cache/cached-responses.ts'
import type { Database } from './db.ts'

/** Dependencies of the routes, public and internal. */
export type Deps = {
  db: Kysely<Database>
  auth: ServiceClient
  minting: ServiceClient
  responses: CachedResponses
  /** Whether offers can begin. */
  offers: boolean
  /** Whether auctions and bids can begin. */
  auctions: boolean
}
