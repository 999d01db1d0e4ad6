import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { API_PREFIX, ASSETS_PREFIX, type FrontEndConfig, getFrontEndConfig, UPLOADS_PREFIX } from '@nifty/api/gateway'
import { limits } from '@nifty/api/limits'
import type { Content } from '@nifty/content/content'
import { BRANDING_PREFIX, type Branding, type BrandingFile } from '@nifty/service-kit/base/branding'
import { notFound } from '@nifty/service-kit/base/errors'
import { findKeptJson, type Upstream } from '@nifty/service-kit/http/upstream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createIcons } from '../icons/icons.ts'
import { lookOf } from '../share-images/look.ts'
import { shareImageRoutes } from '../share-images/share-image.routes.ts'
import { createCards } from '../share-images/subjects.ts'
import { contentRoutes } from './content.routes.ts'
import { renderDocument } from './document.ts'
import { createEntryParts } from './entry-pages.ts'
import { MANIFEST_PATH, manifestOf } from './manifest.ts'
import { headOf } from './pages.ts'
import { sendCompressed } from './send-compressed.ts'
import { sitemapRoutes } from './sitemap.routes.ts'
import { wellKnownRoutes } from './well-known.routes.ts'

/** An SVG of the operator that is opened by itself runs nothing. */
const OWN_FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Of every document: it is no page itself. */
const TEMPLATE = '/index.html'

export type SiteOptions = {
  /** The built front end. */
  root: string
  publicUrl: string
  catalog: Upstream
  /** Serves the pictures of works. */
  minting: Upstream
  /** The client of an address, whose share of the drawings a request counts in. */
  clientOf: (ip: string) => string
  /** Body of `/config.json`. */
  frontEnd: FrontEndConfig
  branding: Branding
  content: Content
}

/** Serves the front end: its files, one document per page with its head, robots.txt and the sitemap. */
export async function serveSite(
  app: FastifyInstance,
  { root, publicUrl, catalog, minting, clientOf, frontEnd, branding, content }: SiteOptions,
) {
  const template = await readFile(join(root, TEMPLATE), 'utf8')
  const entryPartsOf = await createEntryParts(root, { catalog, frontEnd, content })

  await app.register(fastifyStatic, {
    root: join(root, 'assets'),
    prefix: ASSETS_PREFIX,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    // Names of assets contain a hash of their content. All other responses are revalidated.
    cacheControl: true,
    decorateReply: true,
  })

  app.get(getFrontEndConfig.path, async (_request, reply) => reply.header('cache-control', 'no-cache').send(frontEnd))

  app.get(MANIFEST_PATH, async (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('application/manifest+json')
      .send(manifestOf(frontEnd.store, branding.theme.background)),
  )

  await app.register(contentRoutes, { content })

  app.get('/robots.txt', async (_request, reply) =>
    reply
      .type('text/plain')
      .send(`User-agent: *\nDisallow: ${API_PREFIX}\nDisallow: /lock-screen\nSitemap: ${publicUrl}/sitemap.xml\n`),
  )

  await app.register(wellKnownRoutes, { publicUrl, email: frontEnd.company.email })
  await app.register(sitemapRoutes, { catalog, publicUrl })
  const find = findKeptJson(catalog)
  const look = lookOf(branding)
  const cards = createCards(catalog, { store: frontEnd.store.name, look: look.version })
  await app.register(shareImageRoutes, { cards, look, minting, clientOf })

  const icons = createIcons({ store: frontEnd.store, branding })

  const sendOwn = (reply: FastifyReply, { type, bytes }: BrandingFile, cacheControl: string) =>
    reply.headers({ 'cache-control': cacheControl, 'content-security-policy': OWN_FILE_POLICY }).type(type).send(bytes)
  app.get(`${BRANDING_PREFIX}*`, async (request, reply) => {
    const own = branding.hashed.get(request.url.split('?', 1)[0]!)
    if (!own) throw notFound('not_found', 'Not found')
    return sendOwn(reply, own, 'public, max-age=31536000, immutable')
  })

  app.get('/*', { config: { limit: limits.pages } }, async (request, reply) => {
    const path = request.url.split('?', 1)[0]!
    if (path.startsWith(API_PREFIX) || path.startsWith(UPLOADS_PREFIX)) throw notFound('not_found', 'Not found')
    const fixed = branding.fixed.get(path) ?? (await icons.find(path))
    if (fixed) return sendOwn(reply, fixed, 'public, max-age=3600')
    // A file of the front end that is no page: favicon, pictures of the frame. Deeper down a dot belongs to a name.
    if (/^\/[^/]+\.[a-z0-9]+$/i.test(path) && path !== TEMPLATE)
      return reply.sendFile(path.slice(1), root, { maxAge: '1h', immutable: false })
    const head = await headOf(path, { find, publicUrl, cards, content })
    if (head.movedTo) {
      // Revalidated: after a sale the former address may be the present one again.
      const query = request.url.slice(path.length)
      return reply.header('cache-control', 'no-cache').redirect(head.movedTo + query, 301)
    }
    const entry = await entryPartsOf(request.url, head.work)
    const { store } = frontEnd
    const document = renderDocument(template, head, { url: path, publicUrl, store, branding, content, entry })
    reply.code(head.status).header('cache-control', 'no-cache').type('text/html; charset=utf-8')
    return sendCompressed(request, reply, document)
  })
}
