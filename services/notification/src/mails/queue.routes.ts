import { getMailQueue } from '@nifty/api/notification/ops'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { findMailError, measureMails } from './queue.store.ts'

/** For `pnpm ops status`; only on the internal port. */
export const mailQueueRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, getMailQueue, async () => {
    const { oldest, oldestSeconds: _, ...counts } = await measureMails(db)
    return { ...counts, oldest: oldest?.toISOString() ?? null, error: await findMailError(db) }
  })
}
