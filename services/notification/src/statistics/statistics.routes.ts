import { getMailStatistics } from '@nifty/api/statistics'
import { readStatistics } from '@nifty/service-kit/database/statistics'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { mailFigures } from './statistics.store.ts'

/** For operators; only on the internal port. */
export const statisticsRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, getMailStatistics, async ({ query }) => {
    const periods = await readStatistics(db, query, mailFigures)
    return {
      periods: periods.map(({ from, to, figures }) => {
        const count = (name: string) => Number(figures[name] ?? 0)
        return {
          from,
          to,
          mails: count('mails'),
          mailsSent: count('mailsSent'),
          mailsFailed: count('mailsFailed'),
          contactMessages: count('contactMessages'),
        }
      }),
    }
  })
}
