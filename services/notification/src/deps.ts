import type { Kysely } from 'kysely'
import type { Database } from './db.ts'

/** Dependencies of the routes. */
export type Deps = { db: Kysely<Database>; publicUrl: string; operatorEmail: string; mailTokenKey: string }
