import { Redis } from 'ioredis'

/** A command that takes longer fails, as on an unavailable Redis. */
const COMMAND_TIMEOUT_MS = 200
const WARN_EVERY_MS = 30_000

/**
 * Connects to a Redis that the caller can do without: while it is unavailable commands fail at once. `warn` is called
 * for errors of the connection, and by the caller for those of commands; it calls `onUnavailable` at most every 30
 * seconds.
 */
export function connectRedis({ url, onUnavailable }: { url: string; onUnavailable: (error: unknown) => void }) {
  const redis = new Redis(url, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  })
  let warnedAt = Number.NEGATIVE_INFINITY
  const warn = (error: unknown) => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    onUnavailable(error)
  }
  redis.on('error', warn)
  return { redis, warn }
}
