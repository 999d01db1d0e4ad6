import * as api from '@nifty/api/auth/public'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import { inTransaction } from '@nifty/service-kit/transaction'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { endSession } from './session.store.ts'

export const sessionRoutes: FastifyPluginAsync<Deps> = async (app, { db, sessionsEnded }) => {
  registerRoute(app, api.logout, async (request) => {
    const { sessionId } = callerOf(request)
    await inTransaction(db, (trx) => endSession(trx, sessionId))
    await sessionsEnded()
    return { success: true as const }
  })
}
