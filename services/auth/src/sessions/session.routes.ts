import { logout } from '@nifty/api/auth/public'
import { endOtherSessions, endOwnSession, listOwnSessions } from '@nifty/api/auth/sessions'
import { notFound } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { endSession, endSessionsOf, findSessionsOf, isSessionOf } from './session.store.ts'

const LISTED = 100

export const sessionRoutes: FastifyPluginAsync<Deps> = async (app, { db, sessionsEnded }) => {
  registerRoute(app, logout, async (request) => {
    const { sessionId } = callerOf(request)
    await inTransaction(db, (trx) => endSession(trx, sessionId))
    await sessionsEnded()
    return { success: true as const }
  })

  registerRoute(app, listOwnSessions, async (request) => {
    const { userId, sessionId } = callerOf(request)
    const sessions = await findSessionsOf(db, userId, LISTED)
    return {
      sessions: sessions.map(({ id, browser, network, createdAt }) => ({
        _id: id,
        browser,
        network,
        createdAt: createdAt.toISOString(),
        thisSession: id === sessionId,
      })),
    }
  })

  registerRoute(app, endOwnSession, async (request) => {
    const { id } = request.params
    const own = await isSessionOf(db, { id, accountId: callerOf(request).userId })
    if (!own) throw notFound('session_not_found', 'This session does not exist.')
    await inTransaction(db, (trx) => endSession(trx, id))
    await sessionsEnded()
    return { success: true as const }
  })

  registerRoute(app, endOtherSessions, async (request) => {
    const { userId, sessionId } = callerOf(request)
    await inTransaction(db, (trx) => endSessionsOf(trx, userId, sessionId))
    await sessionsEnded()
    return { success: true as const }
  })
}
