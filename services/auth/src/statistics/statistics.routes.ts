import { getAccountStatistics } from '@nifty/api/statistics'
import { readStatistics } from '@nifty/service-kit/database/statistics'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { accountFigures } from './statistics.store.ts'

/** For operators; only on the internal port. */
export const statisticsRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, getAccountStatistics, async ({ query }) => {
    const periods = await readStatistics(db, query, accountFigures)
    return {
      periods: periods.map(({ from, to, figures }) => {
        const count = (name: string) => Number(figures[name] ?? 0)
        return { from, to, created: count('created'), confirmed: count('confirmed'), deleted: count('deleted') }
      }),
    }
  })
}
