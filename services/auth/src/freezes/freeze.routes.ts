import * as api from '@nifty/api/auth/public'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { describeSecurityEvent } from '@nifty/service-kit/http/security-event'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { freezeAccount } from './freeze.actions.ts'

export const freezeRoutes: FastifyPluginAsync<Deps> = async (app, { db, sessionsEnded }) => {
  registerRoute(app, api.freezeAccount, async (request) => {
    const { userId, bidLeads } = await inTransaction(db, (trx) => freezeAccount(trx, request.body.token))
    describeSecurityEvent(request, { userId })
    await sessionsEnded()
    return { success: true as const, message: 'Your account is frozen.', bidLeads }
  })
}
