import { createApp } from '@nifty/service-kit/http/app'
import { accountGuards } from '@nifty/service-kit/http/authentication'
import { accountRoutes } from './accounts/account.routes.ts'
import { avatarRoutes } from './avatars/avatar.routes.ts'
import type { Deps } from './deps.ts'
import { emailRoutes } from './emails/email.routes.ts'
import { loginRoutes } from './logins/login.routes.ts'
import { passwordRoutes } from './passwords/password.routes.ts'
import { resetRoutes } from './passwords/reset.routes.ts'
import { profileRoutes } from './profiles/profile.routes.ts'
import { type Callers, createCallers } from './sessions/session.callers.ts'
import { sessionRoutes } from './sessions/session.routes.ts'
import { signUpRoutes } from './sign-up/sign-up.routes.ts'
import { walletRoutes } from './wallets/wallet.routes.ts'

/** Public routes of auth. */
export function buildApp(given: Omit<Deps, 'callers'>) {
  let callers: Callers | undefined
  const app = createApp({
    log: given.log,
    name: 'auth',
    guards: (app) => {
      callers = createCallers(app, given)
      return accountGuards(callers.callerOf)
    },
  })
  const deps: Deps = { ...given, callers: callers! }
  app.register(signUpRoutes, deps)
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
