import { exportOwnData } from '@nifty/api/own-data'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { recordOperatorAction } from '../database/operator-audit.ts'
import { readOwnData, type Section } from '../database/own-data.ts'
import { registerRoute } from './routes.ts'
import { describeSecurityEvent } from './security-event.ts'
import { actionOf } from './signed-requests.ts'

/** The export of an account's data by an operator; only on the internal port. */
export function registerOwnDataExport(
  app: FastifyInstance<any, any, any, any, any>,
  db: Kysely<any>,
  sectionsOf: (userId: string) => Section[] | Promise<Section[]>,
) {
  registerRoute(app, exportOwnData, async (request) => {
    const { userId, after, operator, reason } = actionOf(request)
    describeSecurityEvent(request, { userId })
    if (after === undefined)
      await db
        .transaction()
        .execute((trx) => recordOperatorAction(trx, { action: 'export-own-data', subject: userId, operator, reason }))
    return readOwnData(db, await sectionsOf(userId), after)
  })
}
