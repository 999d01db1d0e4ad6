import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/auth/public'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import { inTransaction } from '@nifty/service-kit/transaction'
import type { Deps } from '../deps.ts'
import { endSession } from './session.store.ts'

export const sessionRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { db, callers, sessionsEnded }) => {
  registerRoute(app, api.logout, async (request) => {
    const { sessionId } = callerOf(request)
    await inTransaction(db, (trx) => endSession(trx, sessionId))
    await sessionsEnded()
    return { success: true as const }
  })
}
