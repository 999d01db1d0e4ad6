import { listSessions } from '@nifty/api/auth/internal'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { listEndedSessions } from './session.store.ts'

export const sessionInternalRoutes: FastifyPluginAsync<Deps> = async (app, { db, keys }) => {
  registerRoute(app, listSessions, async ({ query }) => ({
    keys: keys.keys,
    ...(await listEndedSessions(db, query.since)),
  }))
}
