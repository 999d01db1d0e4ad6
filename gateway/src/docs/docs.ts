import { openApi } from '@nifty/api/infrastructure'
import type { ServiceName } from '@nifty/api/services'
import { mergeDocuments, type OpenApi } from '@nifty/service-kit/http/openapi'
import { getJson, type Upstream } from '@nifty/service-kit/http/upstream'

/** The OpenAPI document of the store. A service that is down is missing in it. */
export async function mergeDocs(upstreams: Record<ServiceName, Upstream>, store: { publicUrl: string; title: string }) {
  const requests = Object.values(upstreams).map((upstream) => getJson<OpenApi>(upstream, openApi.path))
  return mergeDocuments(await Promise.all(requests), store)
}
