import * as api from '@nifty/api/auth/internal'
import { notFound } from '@nifty/service-kit/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { findAccount } from './accounts/account.store.ts'
import type { Deps } from './deps.ts'
import { listEndedSessions } from './sessions/session.store.ts'

/** Endpoints that other services call. */
export const internalRoutes: FastifyPluginAsync<Deps> = async (app, { db, keys }) => {
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
}
