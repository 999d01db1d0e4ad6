import * as api from '@nifty/api/auth/internal'
import { notFound } from '@nifty/service-kit/errors'
import { createInternalApp } from '@nifty/service-kit/http/internal'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { findAccount } from './accounts/account.store.ts'
import type { InternalDeps } from './deps.ts'
import { operatorRoutes } from './operators/operator.routes.ts'
import { listEndedSessions } from './sessions/session.store.ts'

/** Internal routes of auth, for other services and `pnpm ops`. */
export function buildInternalApp(deps: InternalDeps) {
  const { db, log, secret, keys } = deps
  const app = createInternalApp({ log, name: 'auth', secret })

  registerRoute(app, api.listSessions, async () => ({
    keys: keys.keys,
    endedSessions: await listEndedSessions(db),
  }))

  registerRoute(app, api.getBuyer, async ({ params: { id } }) => {
    const account = await findAccount(db, id)
    if (!account) throw notFound('user_not_found', 'User not Found')
    const { username, email, wallet, suspendedAt } = account
    return { userId: id, username, email, wallet, suspended: suspendedAt !== null }
  })

  app.register(operatorRoutes, deps)
  return app
}
