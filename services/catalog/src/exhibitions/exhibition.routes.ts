import * as api from '@nifty/api/catalog/exhibitions'
import * as ops from '@nifty/api/catalog/ops'
import { listSitemapExhibitions } from '@nifty/api/catalog/sitemap'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import { sendCached } from '../cache/send-cached.ts'
import type { Deps } from '../deps.ts'
import { readPaging } from '../market/paging.ts'
import { removeExhibition, setExhibition } from './exhibition.actions.ts'
import { findAllExhibitions, findExhibition, findExhibitions, findSlugsForSitemap } from './exhibition.store.ts'
import { exhibitionNotFound, today } from './exhibition.ts'

/** The day is a part of the keys of cached responses: an exhibition opens without a change of the database. */
export const exhibitionRoutes: FastifyPluginAsync<Deps> = async (app, { db, responses, offers }) => {
  registerRoute(app, api.listExhibitions, async (request, reply) => {
    const { artist = '', series } = request.query
    const query = { artist: artist.trim().toLowerCase(), series: series === 'true' }
    const paging = readPaging(request.query)
    return sendCached(responses, request, reply, {
      key: `exhibitions ${today()} ${query.series} ${paging.page} ${paging.limit} ${query.artist}`,
      build: (snapshot) => findExhibitions(snapshot, query, paging, { offers }),
    })
  })

  registerRoute(app, api.getExhibition, async (request, reply) => {
    const { slug } = request.params
    return sendCached(responses, request, reply, {
      key: `exhibition ${today()} ${slug}`,
      build: async (snapshot) => {
        const exhibition = await findExhibition(snapshot, slug, { offers })
        if (!exhibition) throw exhibitionNotFound()
        return exhibition
      },
    })
  })

  registerRoute(app, listSitemapExhibitions, async () => ({ slugs: await findSlugsForSitemap(db) }))
}

/** For the operator's tool. */
export const exhibitionOpsRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, ops.listAllExhibitions, async () => ({ exhibitions: await findAllExhibitions(db) }))

  registerRoute(app, ops.setExhibition, async (request) => {
    const form = { ...request.body, slug: request.params.slug }
    await inTransaction(db, (trx) => setExhibition(trx, form, actionOf(request)))
    return { success: true as const }
  })

  registerRoute(app, ops.removeExhibition, async (request) => {
    await inTransaction(db, (trx) => removeExhibition(trx, request.params.slug, actionOf(request)))
    return { success: true as const }
  })
}
