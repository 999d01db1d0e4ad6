/** Between the pages of the office and the server that they come from, a program on the machine of an operator. */
import type { ServiceName } from './services.ts'

export const officePaths = { session: '/session', requests: '/requests' } as const

/** Body of `POST /session`. */
export type OpenSession = { code: string }

/** Response of `GET /session`: in whose name requests are signed. */
export type OfficeSession = { operator: string }

/**
 * Body of `POST /requests`: a request to an operators' endpoint. The response is that of the service. POST also for
 * what only reads, so that no id and no search is in a URL and every request has an `Origin`.
 */
export type ForwardedRequest = {
  service: ServiceName
  /** Of its constant: `endpointKey`. */
  endpoint: string
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

export const endpointKey = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
