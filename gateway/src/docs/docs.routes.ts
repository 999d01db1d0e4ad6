import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { DOCS_PAGE_PREFIX, getDocs } from '@nifty/api/gateway'
import { openApi } from '@nifty/api/infrastructure'
import { limits } from '@nifty/api/limits'
import type { ServiceName } from '@nifty/api/services'
import { mergeDocuments, type OpenApi } from '@nifty/service-kit/http/openapi'
import { getJson, type Upstream } from '@nifty/service-kit/http/upstream'
import type { FastifyInstance } from 'fastify'

const page = join(import.meta.dirname, 'page')
const viewer = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
const files = [
  { path: '', file: 'index.html', root: page },
  { path: 'start.js', file: 'start.js', root: page },
  { path: 'swagger-ui.css', file: 'swagger-ui.css', root: viewer },
  { path: 'swagger-ui-bundle.js', file: 'swagger-ui-bundle.js', root: viewer },
]

/** The OpenAPI document, in which a service that is down is missing, and a page that shows it. */
export async function docsRoutes(
  app: FastifyInstance,
  { upstreams, ...store }: { upstreams: Record<ServiceName, Upstream>; publicUrl: string; title: string },
) {
  const config = { limit: limits.pages }
  app.get(getDocs.path, { config }, async () => {
    const requests = Object.values(upstreams).map((upstream) => getJson<OpenApi>(upstream, openApi.path))
    return mergeDocuments(await Promise.all(requests), store)
  })
  await app.register(fastifyStatic, { root: page, serve: false })
  for (const { path, file, root } of files)
    app.get(DOCS_PAGE_PREFIX + path, { config }, (_request, reply) => reply.sendFile(file, root, { maxAge: '1h' }))
}
