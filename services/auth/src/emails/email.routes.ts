import * as api from '@nifty/api/auth/public'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import { describeSecurityEvent } from '@nifty/service-kit/http/security-event'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { confirmEmail, resendConfirmation } from './email.actions.ts'

export const emailRoutes: FastifyPluginAsync<Deps> = async (app, { db, config, sessionsEnded }) => {
  registerRoute(app, api.verifyEmail, async (request) => {
    const { token } = request.body
    const { userId, endedSessions } = await inTransaction(db, (trx) =>
      confirmEmail(trx, { token, mailTokenKeys: config.mailTokenKeys }),
    )
    describeSecurityEvent(request, { userId })
    if (endedSessions) await sessionsEnded()
    return { success: true as const, message: 'Your e-mail address is confirmed.' }
  })
  registerRoute(app, api.resendConfirmation, async (request) => {
    const { userId } = callerOf(request)
    await inTransaction(db, (trx) => resendConfirmation(trx, userId, config))
    return { success: true as const, message: 'Check your mail box!' }
  })
}
