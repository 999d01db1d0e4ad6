import * as api from '@nifty/api/auth/public'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { findOwnEvents } from './security-event.store.ts'

/** The caller's own history: log-ins, also refused ones, and changes of the account. */
export const securityEventRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.listOwnSecurityEvents, async (request) => {
    const { userId, sessionId } = callerOf(request)
    const events = await findOwnEvents(db, userId)
    return {
      events: events.map(({ at, kind, outcome, address, operator, sessionId: session, count }) => ({
        at: at.toISOString(),
        kind,
        outcome,
        address: operator ? '' : address,
        count,
        thisSession: session === sessionId,
      })),
    }
  })
}
