import { toEuros } from '@nifty/api/shapes'
import { getSalesStatistics } from '@nifty/api/statistics'
import { readStatistics } from '@nifty/service-kit/database/statistics'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { percentile } from './percentile.ts'
import { salesFigures } from './statistics.store.ts'

/** For operators; only on the internal port. */
export const statisticsRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, getSalesStatistics, async ({ query }) => {
    const periods = await readStatistics(db, query, salesFigures)
    return {
      periods: periods.map(({ from, to, figures }) => {
        const count = (name: string) => Number(figures[name] ?? 0)
        const euros = (name: string) => toEuros(count(name))
        const minutes = (figures.deliveryMinutes ?? {}) as Record<string, number>
        const median = percentile(minutes, 0.5)
        return {
          from,
          to,
          ordersStarted: count('ordersStarted'),
          ordersPaid: count('ordersPaid'),
          ordersCompleted: count('ordersCompleted'),
          worksSold: count('worksSold'),
          gross: euros('grossCents'),
          commission: euros('commissionCents'),
          royalties: euros('royaltyCents'),
          refunds: count('refunds'),
          refunded: euros('refundedCents'),
          disputes: count('disputes'),
          disputed: euros('disputedCents'),
          deliveryMinutes: median === null ? null : { median, p95: percentile(minutes, 0.95)! },
        }
      }),
    }
  })
}
