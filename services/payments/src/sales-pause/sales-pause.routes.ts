import * as api from '@nifty/api/payments/sales-pause'
import { recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'
import type { Deps } from '../deps.ts'
import { findPause, savePause } from './sales-pause.store.ts'

/** For operators; only on the internal port. */
export const salesPauseRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.getSalesPause, () => readPause(db))

  registerRoute(app, api.pauseSales, async (request) => {
    const { minutes, operator, reason } = actionOf(request)
    await inTransaction(db, async (trx) => {
      await savePause(trx, { minutes, operator, reason })
      const action = minutes === 0 ? 'resume-sales' : 'pause-sales'
      await recordOperatorAction(trx, { action, subject: 'sales', operator, reason })
    })
    return readPause(db)
  })
}

async function readPause(db: Kysely<Database>) {
  const pause = await findPause(db)
  return {
    pause: pause ? { until: pause.until.toISOString(), by: pause.operator, reason: pause.reason } : null,
  }
}
