import { listSitemapItems, listSitemapParts } from '@nifty/api/catalog/sitemap'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { createSitemapParts, findSitemapItems } from './sitemap.store.ts'

export const sitemapRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  const parts = createSitemapParts(db)
  registerRoute(app, listSitemapParts, async () => ({ parts: await parts() }))
  registerRoute(app, listSitemapItems, async ({ query }) => ({ items: await findSitemapItems(db, query.first) }))
}
