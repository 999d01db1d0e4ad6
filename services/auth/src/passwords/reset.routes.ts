import * as api from '@nifty/api/auth/public'
import { parseEmail } from '@nifty/api/email-address'
import { networkOf } from '@nifty/service-kit/http/network'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { describeSecurityEvent } from '@nifty/service-kit/http/security-event'
import type { FastifyPluginAsync } from 'fastify'
import { invalidEmail } from '../accounts/email-address.ts'
import type { Deps } from '../deps.ts'
import { insertResetRequest } from '../mail-tokens/reset.store.ts'
import { resetPassword } from './reset.actions.ts'

export const resetRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  registerRoute(app, api.requestPasswordReset, async ({ body, ip }) => {
    const email = parseEmail(body.email)
    if (!email) throw invalidEmail()
    await insertResetRequest(deps.db, { email, network: networkOf(ip) })
    return { message: 'If an account exists for this email, a reset link has been sent.' }
  })

  registerRoute(app, api.resetPassword, async (request) => {
    describeSecurityEvent(request, await resetPassword(deps, { ...request.body, ip: request.ip }))
    await deps.sessionsEnded()
    return { message: 'Your password has been changed. Please log in.' }
  })
}
