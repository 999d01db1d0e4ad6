import type { Endpoint, EndpointArguments, EndpointResponse } from '@nifty/api/endpoint'
import type { ErrorResponse } from '@nifty/api/errors'
import { endpointKey, type ForwardedRequest, officePaths } from '@nifty/api/office'
import type { ServiceName } from '@nifty/api/services'

/** As long as the office waits for a service. */
const TIMEOUT_MS = 125_000

/** A browser has six connections to the office: two services that hang leave some to the others. */
const AT_ONCE = 2

const newest = new Map<string, Promise<unknown>>()
let count = 0

/** Sends at most `AT_ONCE` requests to a service at the same time. */
function inTurn<Result>(service: ServiceName, send: () => Promise<Result>): Promise<Result> {
  const place = `${service} ${count++ % AT_ONCE}`
  const result = (newest.get(place) ?? Promise.resolve()).then(send)
  newest.set(
    place,
    result.catch(() => {}),
  )
  return result
}

/** A refused or failed request. `status` is 0 when the office itself did not respond: then the outcome is unknown. */
export class StoreError extends Error {
  readonly status: number
  readonly code: string
  readonly errors: { msg: string; path: string }[]

  constructor(status: number, { message, code, errors }: Partial<ErrorResponse>) {
    super(message || 'The office does not respond. Is `npx pnpm ops office` or the store still running?')
    this.name = 'StoreError'
    this.status = status
    this.code = code ?? 'no_response'
    this.errors = errors ?? []
  }
}

/** Sends a request to a service, as `store.payments(…)` of the command line. Rejects with a StoreError only. */
export async function request<E extends Endpoint>(
  service: ServiceName,
  endpoint: E,
  ...[input]: EndpointArguments<E>
): Promise<EndpointResponse<E>> {
  const forwarded: ForwardedRequest = { service, endpoint: endpointKey(endpoint), ...input }
  let status = 0
  let data: unknown
  try {
    const response = await inTurn(service, () =>
      fetch(officePaths.requests, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(forwarded),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }),
    )
    status = response.status
    data = await response.json()
    if (response.ok) return data as EndpointResponse<E>
  } catch {
    // No response, or no JSON.
  }
  throw new StoreError(status, (data ?? {}) as Partial<ErrorResponse>)
}
