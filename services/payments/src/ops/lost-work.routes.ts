import * as api from '@nifty/api/payments/lost-works'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { acknowledgeLostWork, compareToken } from './lost-work.actions.ts'

/** Works on the chain whose description was lost with a database. */
export const opsLostWorkRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  registerRoute(app, api.compareToken, async ({ query }) => compareToken(deps, query.token))

  registerRoute(app, api.acknowledgeLostWork, async (request) => acknowledgeLostWork(deps, actionOf(request)))
}
