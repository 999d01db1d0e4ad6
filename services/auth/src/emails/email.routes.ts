import * as api from '@nifty/api/auth/public'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import { inTransaction } from '@nifty/service-kit/transaction'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { confirmEmail, resendConfirmation } from './email.actions.ts'

export const emailRoutes: FastifyPluginAsync<Deps> = async (app, { db, config, sessionsEnded }) => {
  registerRoute(app, api.verifyEmail, async ({ body: { token } }) => {
    const { endedSessions } = await inTransaction(db, (trx) =>
      confirmEmail(trx, { token, mailTokenKey: config.mailTokenKey }),
    )
    if (endedSessions) await sessionsEnded()
    return { success: true as const, message: 'Your e-mail address is confirmed.' }
  })
  registerRoute(app, api.resendConfirmation, async (request) => {
    const { userId } = callerOf(request)
    await inTransaction(db, (trx) => resendConfirmation(trx, userId, config))
    return { success: true as const, message: 'Check your mail box!' }
  })
}
