import type { Endpoint, EndpointArguments, EndpointInput, EndpointResponse } from '@nifty/api/endpoint'
import { endpointKey } from '@nifty/api/office'
import type { ServiceName } from '@nifty/api/services'
import useSWR, { mutate, type SWRConfiguration } from 'swr'
import { request, type StoreError } from './request.ts'

/** What a service returns, or why it does not. `reload` repeats the request. */
export type Loaded<Data> = { data?: Data; error?: StoreError; reload: () => void }

/** The response of an endpoint that only reads. `input: null` sends no request. */
export function useStore<E extends Endpoint>(
  service: ServiceName,
  endpoint: E,
  input: EndpointInput<E> | null,
  options?: SWRConfiguration<EndpointResponse<E>, StoreError>,
): Loaded<EndpointResponse<E>> {
  const { data, error, mutate } = useSWR<EndpointResponse<E>, StoreError>(
    input && JSON.stringify([service, endpointKey(endpoint), input]),
    () => request(service, endpoint, ...([input] as unknown as EndpointArguments<E>)),
    options,
  )
  return { data, error, reload: () => void mutate() }
}

/** Several responses as one: all of them, or the first failure. */
export function both<One, Other>(one: Loaded<One>, other: Loaded<Other>): Loaded<[One, Other]> {
  return {
    data: one.data && other.data && [one.data, other.data],
    error: one.error ?? other.error,
    reload: () => {
      one.reload()
      other.reload()
    },
  }
}

/** After a change: everything that is shown is requested again. */
export const reloadAll = () => mutate(() => true)
