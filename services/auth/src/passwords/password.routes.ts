import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/auth'
import { accessDenied } from '@nifty/service-kit/errors'
import type { Deps } from '../deps.ts'
import { changePassword } from './password.actions.ts'

export const passwordRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  const { callers, sessionsEnded } = deps
  const change = { schema: api.changePassword, onRequest: callers.signedIn }
  app.put('/api/users/:id/change-password', change, async (request) => {
    const { userId } = await callers.callerOf(request)
    if (userId !== request.params.id) throw accessDenied()
    const signedIn = await changePassword(deps, { userId, ...request.body, ip: request.ip })
    await sessionsEnded()
    return signedIn
  })
}
