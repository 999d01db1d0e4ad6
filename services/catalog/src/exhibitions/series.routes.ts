import * as api from '@nifty/api/catalog/exhibitions'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { findSeriesOf } from './exhibition.store.ts'
import { changeSeries, createSeries, removeSeries } from './series.actions.ts'

/** Series in the studio of their artist. */
export const seriesRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.listOwnSeries, async (request) => ({
    series: await findSeriesOf(db, callerOf(request).userId),
  }))

  registerRoute(app, api.createSeries, async (request) => {
    const { userId } = callerOf(request)
    const series = await inTransaction(db, (trx) => createSeries(trx, userId, request.body))
    return { success: true as const, series }
  })

  registerRoute(app, api.changeSeries, async (request) => {
    const { userId: artistId } = callerOf(request)
    const change = { id: request.params.id, artistId, form: request.body }
    const series = await inTransaction(db, (trx) => changeSeries(trx, change))
    return { success: true as const, series }
  })

  registerRoute(app, api.removeSeries, async (request) => {
    const { userId: artistId } = callerOf(request)
    await inTransaction(db, (trx) => removeSeries(trx, { id: request.params.id, artistId }))
    return { success: true as const }
  })
}
