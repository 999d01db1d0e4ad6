import * as api from '@nifty/api/internal'
import { notFound } from '@nifty/service-kit/errors'
import { createInternalApp } from '@nifty/service-kit/http/internal'
import type { Log } from '@nifty/service-kit/logs'
import type { Kysely } from 'kysely'
import { findAccount } from './accounts/account.store.ts'
import type { Database } from './db.ts'
import { operatorRoutes } from './operators/operator.routes.ts'
import type { SigningKeys } from './sessions/session.keys.ts'
import { listEndedSessions } from './sessions/session.store.ts'

export type InternalDeps = {
  db: Kysely<Database>
  log: Log
  secret: string
  keys: SigningKeys
  sessionsEnded: () => Promise<void>
}

/** What auth answers to its neighbours and to `pnpm ops`. */
export function buildInternalApp(deps: InternalDeps) {
  const { db, log, secret, keys } = deps
  const app = createInternalApp({ log, name: 'auth', secret })

  app.get('/internal/sessions', { schema: api.sessionList }, async () => ({
    keys: keys.keys,
    endedSessions: await listEndedSessions(db),
  }))

  app.get('/internal/buyers/:id', { schema: api.buyer }, async ({ params: { id } }) => {
    const account = await findAccount(db, id)
    if (!account) throw notFound('user_not_found', 'User not Found')
    const { username, email, wallet, suspendedAt } = account
    return { userId: id, username, email, wallet, suspended: suspendedAt !== null }
  })

  app.register(operatorRoutes, deps)
  return app
}
