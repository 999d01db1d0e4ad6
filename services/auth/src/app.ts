import { createApp } from '@nifty/service-kit/http/app'
import type { Sessions } from '@nifty/service-kit/http/sessions'
import type { Log } from '@nifty/service-kit/logs'
import type { Kysely } from 'kysely'
import { accountRoutes } from './accounts/account.routes.ts'
import type { Avatars } from './avatars/avatar.actions.ts'
import type { AvatarFiles } from './avatars/avatar.files.ts'
import { avatarRoutes } from './avatars/avatar.routes.ts'
import type { Config } from './config.ts'
import type { Database } from './db.ts'
import { emailRoutes } from './emails/email.routes.ts'
import type { Limits } from './limits.ts'
import { loginRoutes } from './logins/login.routes.ts'
import type { Hasher } from './passwords/password.hash.ts'
import { passwordRoutes } from './passwords/password.routes.ts'
import { profileRoutes } from './profiles/profile.routes.ts'
import { resetRoutes } from './resets/reset.routes.ts'
import { type Callers, createCallers } from './sessions/session.callers.ts'
import type { SigningKeys } from './sessions/session.keys.ts'
import { sessionRoutes } from './sessions/session.routes.ts'
import { walletRoutes } from './wallets/wallet.routes.ts'

type AppParts = {
  db: Kysely<Database>
  log: Log
  config: Config
  limits: Limits
  sessions: Sessions
  keys: SigningKeys
  hasher: Hasher
  files: AvatarFiles
  avatars: Avatars
  /** Reads the list of ended sessions again at once. */
  sessionsEnded: () => Promise<void>
}

/** What every route is given. */
export type Deps = AppParts & { callers: Callers }

/** What auth answers to the public. */
export function buildApp(parts: AppParts) {
  const app = createApp({ log: parts.log, name: 'auth' })
  const deps: Deps = { ...parts, callers: createCallers(app, parts) }
  app.register(accountRoutes, deps)
  app.register(loginRoutes, deps)
  app.register(sessionRoutes, deps)
  app.register(profileRoutes, deps)
  app.register(passwordRoutes, deps)
  app.register(resetRoutes, deps)
  app.register(emailRoutes, deps)
  app.register(walletRoutes, deps)
  app.register(avatarRoutes, deps)
  return app
}
