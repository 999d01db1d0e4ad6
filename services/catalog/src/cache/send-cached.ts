import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { CACHE_MS_HEADER, MAX_CACHED_MS } from '@nifty/api/endpoint'
import { encodingFor, includesEtag } from '@nifty/service-kit/http/negotiation'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Build, CachedResponses } from './cached-responses.ts'
import type { CachedResponse } from './response-cache.ts'

const toGzip = promisify(gzip)
const gzipped = new WeakMap<CachedResponse, Promise<Buffer>>()

/** Made when the first client requests it: most accept brotli. */
function gzipOf(response: CachedResponse): Promise<Buffer> {
  const body = gzipped.get(response) ?? toGzip(response.plain)
  gzipped.set(response, body)
  return body
}

/**
 * Sends the response in the smallest encoding that the client accepts, or 304 if its `If-None-Match` has the ETag. A
 * client with a bearer token may have changed what it reads: it gets the latest state, all others one of the last
 * second; both one of the last minute while the database does not respond.
 */
export async function sendCached(
  responses: CachedResponses,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, build }: { key: string; build: Build },
) {
  const { response, asOf } = await responses.get(key, build, request.headers.authorization ? 'latest' : 'current')
  if (request.headers[CACHE_MS_HEADER])
    reply.header(CACHE_MS_HEADER, Math.max(0, Math.floor(asOf + MAX_CACHED_MS - performance.now())))
  const etag = `W/"${response.etag}"`
  reply.header('cache-control', 'no-cache').header('vary', 'Accept-Encoding, Authorization').header('etag', etag)
  if (includesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()

  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  const body = encoding === 'br' ? response.brotli : encoding === 'gzip' ? await gzipOf(response) : response.plain
  return reply.type('application/json; charset=utf-8').send(body)
}
