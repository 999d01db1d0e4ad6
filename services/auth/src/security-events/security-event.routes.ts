import * as api from '@nifty/api/auth/public'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import { findSecurityEvents } from '@nifty/service-kit/security-events/security-event.store'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'

const LISTED = 50

/** The caller's own history: log-ins, also refused ones, and changes of the account. */
export const securityEventRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.listOwnSecurityEvents, async (request) => {
    const { userId, sessionId } = callerOf(request)
    const events = await findSecurityEvents(db, { user: userId }, LISTED)
    return {
      events: events.map(({ at, kind, outcome, address, operator, sessionId: session }) => ({
        ...{ at: at.toISOString(), kind, outcome, address: operator ? '' : address },
        thisSession: session === sessionId,
      })),
    }
  })
}
