import { readEndpoint } from '../api/endpoint.ts'
import { page, paging } from '../api/list.ts'
import { apiVersion } from '../store/transaction.ts'
import type { WebhookEndpoint } from './endpoint.ts'

const path = '/v1/webhook_endpoints'

/** The one endpoint of the sandbox, which gets all events; none while it has no url. */
export const webhookEndpointEndpoints = (endpoint: WebhookEndpoint) => [
  readEndpoint(path, paging, (_store, input) => {
    const { url } = endpoint.current()
    const found = {
      id: 'we_sandbox',
      object: 'webhook_endpoint',
      api_version: apiVersion,
      application: null,
      created: 0,
      description: null,
      enabled_events: ['*'],
      livemode: false,
      metadata: {},
      status: 'enabled',
      url,
    }
    return page(url ? [found] : [], input, path)
  }),
]
