import type { Authenticate } from '@nifty/service-kit/http/authentication'
import type { ServiceClient } from '@nifty/service-kit/http/internal'
import type { Kysely } from 'kysely'
import type { CachedResponses } from './cache/cached-responses.ts'
import type { Database } from './db.ts'

/** What internal routes are given. */
export type InternalDeps = { db: Kysely<Database>; minting: ServiceClient; responses: CachedResponses }

/** What public routes are given. */
export type Deps = InternalDeps & { authenticate: Authenticate }
