import { rateLimit as scaled } from '@nifty/service-kit/base/env'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { siteKey } from '../limits/limits.ts'
import { createPool, type Pool, type PoolSize } from './pool.ts'

/**
 * A request has a place from when its body has arrived until its response has left. To each service there are places
 * apart for its API, for uploads, whose bodies are streamed, and for files; `own` are the gateway's responses.
 */
export const poolNames = ['api', 'uploads', 'files', 'own'] as const
export type PoolName = (typeof poolNames)[number]
export type PoolSizes = Record<PoolName, PoolSize>

const waiting = { waiting: 1_024, waitingPerClient: 256, waitMs: 30_000 }
export const poolSizes: PoolSizes = {
  api: { places: 128, placesPerClient: 32, ...waiting },
  uploads: { places: 32, placesPerClient: 8, ...waiting },
  files: { places: 128, placesPerClient: 32, ...waiting },
  own: { places: 128, placesPerClient: 32, ...waiting },
}

/** A new pool with every call. A factor above 1 raises the shares of clients, as it does their other limits. */
export const poolFactory =
  (sizes: PoolSizes, factor: number) =>
  (name: PoolName): Pool => {
    const size = sizes[name]
    const share = (count: number, all: number) => Math.min(all, scaled(count, Math.max(1, factor)))
    return createPool({
      ...size,
      placesPerClient: share(size.placesPerClient, size.places),
      waitingPerClient: share(size.waitingPerClient, size.waiting),
    })
  }

type Place = { holders: number; leave: () => void }
const places = new WeakMap<FastifyRequest, Place>()

/**
 * Calls `start` once the request has a place, or with a 503. The response holds the place until it has left or its
 * connection is closed.
 */
export function takePlace(pool: Pool, request: FastifyRequest, reply: FastifyReply, start: (error?: Error) => void) {
  // The client has left.
  if (reply.raw.closed) return
  const place: Place = { holders: 0, leave: () => {} }
  places.set(request, place)
  reply.raw.once('close', holdPlace(request))
  place.leave = pool.take(siteKey(request.ip), start)
}

/** Another holder of a request's place: it is given back when all have called their function. */
export function holdPlace(request: FastifyRequest): () => void {
  const place = places.get(request)!
  place.holders++
  let holds = true
  return () => {
    if (!holds) return
    holds = false
    place.holders--
    if (place.holders === 0) place.leave()
  }
}
