import * as api from '@nifty/api/notification/ops'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { acknowledgeMails } from './queue.actions.ts'
import { findMailError, measureMails } from './queue.store.ts'

/** For `pnpm ops status` and `acknowledge mails`; only on the internal port. */
export const mailQueueRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.getMailQueue, async () => {
    const { oldest, oldestSeconds: _, ...counts } = await measureMails(db)
    return { ...counts, oldest: oldest?.toISOString() ?? null, error: await findMailError(db) }
  })

  registerRoute(app, api.acknowledgeMails, async (request) => ({
    acknowledged: await inTransaction(db, (trx) => acknowledgeMails(trx, actionOf(request))),
  }))
}
