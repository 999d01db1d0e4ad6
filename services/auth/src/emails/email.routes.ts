import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/auth'
import { inTransaction } from '@nifty/service-kit/transaction'
import type { Deps } from '../deps.ts'
import { confirmEmail, resendConfirmation } from './email.actions.ts'

export const emailRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { db, callers, limits, sessionsEnded }) => {
  app.post('/api/auth/verify-email', { schema: api.verifyEmail }, async ({ body: { token } }) => {
    const { endedSessions } = await inTransaction(db, (trx) => confirmEmail(trx, token))
    if (endedSessions) await sessionsEnded()
    return { success: true as const, message: 'Your e-mail address is confirmed.' }
  })

  const resend = { schema: api.resendConfirmation, onRequest: callers.signedIn }
  app.post('/api/auth/resend-confirmation', resend, async (request) => {
    const { userId } = await callers.callerOf(request)
    await inTransaction(db, (trx) => resendConfirmation(trx, userId, limits.mailsPerHour))
    return { success: true as const, message: 'Check your mail box!' }
  })
}
