/** Between the pages of the office and the server that they come from, a program on the machine of an operator. */
import type { ServiceName } from './services.ts'

export const officePaths = { session: '/session', requests: '/requests', pictures: '/pictures' } as const

/** Body of `POST /session`. */
export type OpenSession = { code: string }

/** Response of `GET /session`. */
export type OfficeSession = {
  /** In whose name requests are signed. */
  operator: string
  /** Where visitors see the store, without a slash at its end; null where the office has no address of it. */
  publicUrl: string | null
}

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
