import type { Kysely } from 'kysely'
import type { Config } from './config.ts'
import type { Database } from './db.ts'
import type { Hasher } from './passwords/password.hash.ts'
import type { Pictures } from './pictures/picture.actions.ts'
import type { SigningKeys } from './sessions/session.keys.ts'

/** Dependencies of the routes. */
export type Deps = {
  db: Kysely<Database>
  config: Config
  keys: SigningKeys
  hasher: Hasher
  avatars: Pictures
  covers: Pictures
  /** Reloads the list of ended sessions at once. */
  sessionsEnded: () => Promise<void>
}
