import { type Endpoint, type EndpointInput, type EndpointResponse, endpointUrl } from '@nifty/api/endpoint'
import useSWR, { type SWRConfiguration } from 'swr'
import { type ApiError, type RequestArguments, request } from './api.ts'

type Input<E extends Endpoint> = EndpointInput<E>

/**
 * The data of a GET endpoint, cached by SWR under the request's URL. `input: null` sends no request. The type is a
 * promise of the server, not a check: a hook that must survive a malformed response checks it.
 */
export const useEndpoint = <E extends Endpoint>(
  endpoint: E,
  input: Input<E> | null,
  options?: SWRConfiguration<EndpointResponse<E>, ApiError>,
) =>
  useSWR<EndpointResponse<E>, ApiError>(
    input && endpointUrl(endpoint, input),
    () => request(endpoint, ...([input] as unknown as RequestArguments<E>)),
    options,
  )

/** Whether an SWR key is a URL of this endpoint, for `mutate`. */
export const isKeyOf = ({ path }: Endpoint, key: unknown) =>
  typeof key === 'string' && new RegExp(`^${path.replace(/:\w+/g, '[^/?]+')}(\\?|$)`).test(key)
