import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/auth'
import { unauthenticated } from '@nifty/service-kit/errors'
import { inTransaction } from '@nifty/service-kit/transaction'
import { findAccount } from '../accounts/account.store.ts'
import { currentUser } from '../accounts/account.views.ts'
import type { Deps } from '../app.ts'
import { endSession } from './session.store.ts'

export const sessionRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { db, callers, sessionsEnded }) => {
  app.get('/api/auth/user', { schema: api.currentUser }, async (request) => {
    const { userId } = await callers.callerOf(request)
    const account = await findAccount(db, userId)
    if (!account) throw unauthenticated()
    return { user: currentUser(account) }
  })

  app.post('/api/auth/logout', { schema: api.logout, onRequest: callers.signedIn }, async (request) => {
    const { sessionId } = await callers.callerOf(request)
    await inTransaction(db, (trx) => endSession(trx, sessionId))
    await sessionsEnded()
    return { success: true as const }
  })
}
