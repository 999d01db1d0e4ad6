import * as api from '@nifty/api/auth/public'
import { accessDenied } from '@nifty/service-kit/base/errors'
import { callerOf, registerRoute, requireStepUp } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { hasSecondFactor } from '../second-factors/second-factor.actions.ts'
import { clientOf } from '../sessions/session.client.ts'
import { changePassword } from './password.actions.ts'

export const passwordRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  const { sessionsEnded } = deps
  registerRoute(app, api.changePassword, async (request) => {
    const { userId } = callerOf(request)
    if (userId !== request.params.id) throw accessDenied()
    if (await hasSecondFactor(deps.db, userId)) requireStepUp(request)
    const signedIn = await changePassword(deps, {
      userId,
      ...request.body,
      ip: request.ip,
      client: clientOf(request),
    })
    await sessionsEnded()
    return signedIn
  })
}
