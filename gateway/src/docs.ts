import { openApi } from '@nifty/api/infrastructure'
import type { ServiceName } from '@nifty/api/services'
import { securitySchemes } from '@nifty/service-kit/http/openapi'
import { getJson, type Upstream } from '@nifty/service-kit/http/upstream'

type OpenApi = { paths?: Record<string, unknown>; components?: Record<string, object> }

/** Merges the OpenAPI documents of all services. A service that is down is missing in the result. */
export async function mergeDocs(upstreams: Record<ServiceName, Upstream>, publicUrl: string) {
  const documents = await Promise.all(
    Object.values(upstreams).map((upstream) => getJson<OpenApi>(upstream, openApi.path)),
  )
  return {
    openapi: '3.1.0',
    info: { title: 'Nifty', version: '1', description: 'Errors: `{success:false, code, message, errors?}`.' },
    servers: [{ url: publicUrl }],
    paths: Object.assign({}, ...documents.map((document) => document?.paths)),
    components: {
      schemas: Object.assign({}, ...documents.map((document) => document?.components?.schemas)),
      securitySchemes: { bearer: securitySchemes.bearer },
    },
  }
}
