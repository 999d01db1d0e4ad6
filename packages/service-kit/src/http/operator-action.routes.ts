import { listActions } from '@nifty/api/operator-actions'
import type { FastifyPluginAsync } from 'fastify'
import type { Kysely } from 'kysely'
import { findOperatorActions } from '../database/operator-audit.ts'
import { registerRoute } from './routes.ts'

const LISTED = 500

/** For `pnpm ops audit` and `pnpm ops order`, in every service; only on the internal port. */
export const operatorActionRoutes: FastifyPluginAsync<{ db: Kysely<any> }> = async (app, { db }) => {
  registerRoute(app, listActions, async ({ query }) => {
    const found = await findOperatorActions(db, query, LISTED)
    return {
      actions: found.map(({ at, operator, action, subject, reason }) => ({
        at: at.toISOString(),
        operator,
        action,
        subject,
        reason,
      })),
    }
  })
}
