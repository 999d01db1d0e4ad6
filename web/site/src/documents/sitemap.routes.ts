import {
  listSitemapExhibitions,
  listSitemapItems,
  listSitemapParts,
  type SitemapItem,
} from '@nifty/api/catalog/sitemap'
import { endpointUrl } from '@nifty/api/endpoint'
import { limits } from '@nifty/api/limits'
import { itemPath, pages } from '@nifty/api/pages'
import { notFound, unavailable } from '@nifty/service-kit/base/errors'
import { isUuid } from '@nifty/service-kit/base/uuid'
import { getJson, type Upstream } from '@nifty/service-kit/http/upstream'
import type { FastifyInstance } from 'fastify'
import { indexedPaths } from './pages.ts'

type Options = { catalog: Upstream; publicUrl: string }

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
const SCHEMA = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
/** Crawlers read a sitemap a few times a day. */
const CACHED = 'public, max-age=600'

/**
 * `/sitemap.xml` is the index of all sitemaps (sitemaps.org): `/sitemap-pages.xml`, and one for each part of the works,
 * `/sitemap-works-{first id}.xml`.
 */
export async function sitemapRoutes(app: FastifyInstance, { catalog, publicUrl }: Options) {
  const config = { limit: limits.pages }
  const document = (body: string) => `${HEAD}\n${body}`

  app.get('/sitemap.xml', { config }, async (_request, reply) => {
    const found = await getJson<{ parts: string[] }>(catalog, listSitemapParts.path)
    const names = ['pages', ...(found?.parts ?? []).map((first) => `works-${first}`)]
    const maps = names.map((name) => `<sitemap><loc>${publicUrl}/sitemap-${name}.xml</loc></sitemap>`)
    const body = document(`<sitemapindex ${SCHEMA}>${maps.join('')}</sitemapindex>`)
    return reply
      .header('cache-control', found ? CACHED : 'no-cache')
      .type('application/xml')
      .send(body)
  })

  app.get('/sitemap-pages.xml', { config }, async (_request, reply) => {
    const found = await getJson<{ slugs: string[] }>(catalog, listSitemapExhibitions.path)
    const paths = [...indexedPaths, ...(found?.slugs ?? []).map((slug) => `${pages.exhibitions.path}/${slug}`)]
    const urls = paths.map((path) => `<url><loc>${publicUrl}${path}</loc></url>`)
    return reply.type('application/xml').send(document(`<urlset ${SCHEMA}>${urls.join('')}</urlset>`))
  })

  app.get<{ Params: { first: string } }>('/sitemap-works-:first.xml', { config }, async (request, reply) => {
    const { first } = request.params
    if (!isUuid(first)) throw notFound('not_found', 'Not found')
    const url = endpointUrl(listSitemapItems, { query: { first } })
    const found = await getJson<{ items: SitemapItem[] }>(catalog, url)
    if (!found) throw unavailable('service_unavailable', 'The catalog is unavailable')
    const urls = found.items.map(
      ({ username, changedAt, ...item }) =>
        `<url><loc>${publicUrl}${itemPath({ ownerUsername: username, ...item })}</loc><lastmod>${changedAt}</lastmod></url>`,
    )
    const body = document(`<urlset ${SCHEMA}>${urls.join('')}</urlset>`)
    return reply.header('cache-control', CACHED).type('application/xml').send(body)
  })
}
