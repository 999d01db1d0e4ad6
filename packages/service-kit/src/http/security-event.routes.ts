import { listSecurityEvents } from '@nifty/api/security-events'
import type { FastifyPluginAsync } from 'fastify'
import type { Kysely } from 'kysely'
import { registerRoute } from './routes.ts'
import { findSecurityEvents } from './security-event.store.ts'

const LISTED = 500

/** For `pnpm ops audit`, in every service; only on the internal port. */
export const securityEventRoutes: FastifyPluginAsync<{ db: Kysely<any> }> = async (app, { db }) => {
  registerRoute(app, listSecurityEvents, async ({ query }) => {
    const events = await findSecurityEvents(db, query, LISTED)
    return { events: events.map(({ id, at, ...event }) => ({ at: at.toISOString(), ...event })) }
  })
}
