import { ask, type Upstream } from './doors/upstream.ts'
import type { ServiceName } from './routes.ts'

type OpenApi = { paths?: Record<string, unknown>; components?: { schemas?: Record<string, unknown> } }

/** One OpenAPI document of everything that answers behind this door. A service that is down is missing from it. */
export async function mergeDocs(upstreams: Record<ServiceName, Upstream>, publicUrl: string) {
  const documents = await Promise.all(
    Object.values(upstreams).map((upstream) => ask<OpenApi>(upstream, '/openapi.json')),
  )
  return {
    openapi: '3.1.0',
    info: { title: 'Nifty', version: '1', description: 'Errors: `{success:false, code, message, errors?}`.' },
    servers: [{ url: publicUrl }],
    paths: Object.assign({}, ...documents.map((document) => document?.paths)),
    components: { schemas: Object.assign({}, ...documents.map((document) => document?.components?.schemas)) },
  }
}
