import type { Endpoint } from '@nifty/api/endpoint'
import { endpoints } from '@nifty/api/endpoints/all'
import { endpointKey } from '@nifty/api/office'
import { perService, type ServiceName } from '@nifty/api/services'

/** The operators' endpoints of each service, by method and path: nothing else is forwarded. */
export const operatorEndpoints: Record<ServiceName, ReadonlyMap<string, Endpoint>> = perService(
  (name) =>
    new Map(
      endpoints[name].internal
        .filter(({ access }) => access === 'operator')
        .map((endpoint) => [endpointKey(endpoint), endpoint]),
    ),
)
