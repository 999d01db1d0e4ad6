import type { Sessions } from '@nifty/service-kit/http/sessions'
import type { Log } from '@nifty/service-kit/logs'
import type { Kysely } from 'kysely'
import type { Avatars } from './avatars/avatar.actions.ts'
import type { AvatarFiles } from './avatars/avatar.files.ts'
import type { Config } from './config.ts'
import type { Database } from './db.ts'
import type { Hasher } from './passwords/password.hash.ts'
import type { Limits } from './quotas/limits.ts'
import type { SigningKeys } from './sessions/session.keys.ts'

/** Dependencies of the public routes. */
export type Deps = {
  db: Kysely<Database>
  log: Log
  config: Config
  limits: Limits
  sessions: Sessions
  keys: SigningKeys
  hasher: Hasher
  files: AvatarFiles
  avatars: Avatars
  /** Reloads the list of ended sessions at once. */
  sessionsEnded: () => Promise<void>
}
