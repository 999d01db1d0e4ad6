import type { IncomingHttpHeaders } from 'node:http'
import { CACHE_MS_HEADER, MAX_CACHED_MS } from '@nifty/api/endpoint'
import { encodingFor, includesEtag } from '@nifty/service-kit/http/negotiation'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasBody } from '../connections/connections.ts'
import { forwardedHeaders } from '../security/security.ts'
import type { ResponseCache } from './response-cache.ts'

/** Headers of one connection or one request. */
const perRequest = /^(connection|keep-alive|date|transfer-encoding|x-request-id|x-ratelimit-.*|x-internal-.*)$/
export type Headers = Record<string, string | number | string[] | undefined>
/** A whole response of a service. */
export type Received = { status: number; headers: Headers; body: Buffer }

/** Longer than a service waits for its database where it has a response of before. */
const RESPONSE_WITHIN_MS = 4_000

/**
 * Whether the response to a request is the same for everyone: a GET of a cached or kept endpoint without a bearer
 * token. A client with one may have changed what it reads, and gets the latest state from the service.
 */
export function isCacheable(request: FastifyRequest) {
  const { endpoint } = request.routeOptions.config
  return Boolean(endpoint?.cached || endpoint?.kept) && isAnonymousGet(request)
}

const findStale = (cache: ResponseCache, { raw, headers }: FastifyRequest) =>
  cache.getStale(raw.url!, encodingFor(headers['accept-encoding']))

/** Milliseconds that a service has for a response, where one of the last minute can be sent instead. */
export const responseWithinMs = (cache: ResponseCache, request: FastifyRequest) =>
  findStale(cache, request) && RESPONSE_WITHIN_MS

/** Sends a response of the last minute, or a 304 to a client that has it; false without one. */
export function sendStale(cache: ResponseCache, request: FastifyRequest, reply: FastifyReply): boolean {
  const stale = findStale(cache, request)
  if (!stale) return false
  const isKnown = Boolean(stale.etag) && includesEtag(request.headers['if-none-match'], stale.etag)
  const headers = isKnown ? stale.headersOf304 : stale.headers
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at]!, headers[at + 1])
  reply.code(isKnown ? 304 : 200).send(isKnown ? undefined : stale.body)
  return true
}

export const isAnonymousGet = ({ method, headers }: { method?: string; headers: IncomingHttpHeaders }) =>
  method === 'GET' && headers.authorization === undefined && !hasBody({ headers })

/**
 * The headers of a request whose response may be cached. No header of the client is among them, so that none can change
 * what others get.
 */
export function cacheableRequest(request: FastifyRequest): Record<string, string> {
  const { traceparent } = request.raw.headers
  return {
    'accept-encoding': encodingFor(request.headers['accept-encoding']),
    [CACHE_MS_HEADER]: 'requested',
    ...forwardedHeaders(request),
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
  }
}

const passedOn = (headers: Headers) =>
  Object.entries(headers).filter(([name, value]) => value !== undefined && !perRequest.test(name))
/** Which a 304 does not have. */
const describesBody = (name: string) => /^content-(encoding|length|type)$/.test(name)

/**
 * Caches a response for as long as the service allows, at most `MAX_CACHED_MS`, counted from before it was requested
 * (`requestedAt`, a time of the cache), and sends it, or a 304 to a client that has it. In place of an error of the
 * service a response of the last minute is sent.
 */
export function sendAndCache(
  cache: ResponseCache,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body, requestedAt }: Received & { requestedAt: number },
) {
  if (status >= 500 && sendStale(cache, request, reply)) return reply
  // For example of a work that is hidden now.
  if (status >= 400 && status < 500) cache.remove(request.raw.url!)
  const { etag } = headers
  const known = typeof etag === 'string' ? etag : undefined
  const ms = Math.min(MAX_CACHED_MS, Number(headers[CACHE_MS_HEADER] ?? 0))
  const isKept = Boolean(request.routeOptions.config.endpoint?.kept)
  if (status === 200 && (isKept || (known && ms > 0)) && headers['set-cookie'] === undefined) {
    const encoding = encodingFor(request.headers['accept-encoding'])
    // Headers that the gateway has set on the reply, such as those for security, are the same for every request of a
    // path.
    const kept = passedOn({ ...reply.raw.getHeaders(), ...headers, 'content-length': body.length })
    const flat = (pairs: typeof kept) => pairs.flatMap(([name, value]) => [name, String(value)])
    const response = {
      route: request.routeOptions.url!,
      etag: known ?? '',
      body,
      headers: flat(kept),
      headersOf304: flat(kept.filter(([name]) => !describesBody(name))),
    }
    cache.put(request.raw.url!, encoding, response, requestedAt + (known ? ms : 0))
  }
  const isKnown = status === 200 && known !== undefined && includesEtag(request.headers['if-none-match'], known)
  for (const [name, value] of passedOn(headers)) if (!isKnown || !describesBody(name)) reply.header(name, value)
  return isKnown ? reply.code(304).send() : reply.code(status).send(body)
}
