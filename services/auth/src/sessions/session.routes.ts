import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/auth'
import { inTransaction } from '@nifty/service-kit/transaction'
import type { Deps } from '../deps.ts'
import { endSession } from './session.store.ts'

export const sessionRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { db, callers, sessionsEnded }) => {
  app.post('/api/auth/logout', { schema: api.logout, onRequest: callers.signedIn }, async (request) => {
    const { sessionId } = await callers.callerOf(request)
    await inTransaction(db, (trx) => endSession(trx, sessionId))
    await sessionsEnded()
    return { success: true as const }
  })
}
