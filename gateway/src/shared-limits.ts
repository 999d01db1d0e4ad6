import type { Log } from '@nifty/service-kit/logs'
import { type Collector, collector } from '@nifty/service-kit/metrics/metrics'
import { Redis } from 'ioredis'

/** A slower Redis counts as unavailable: a log-in does not wait for it. */
const COMMAND_TIMEOUT_MS = 200
const WARN_EVERY_MS = 30_000

/**
 * Connects to the Redis in which gateways count together. While it is unavailable commands fail at once, so that each
 * gateway goes on with its own count.
 */
export function connectRedis({ url, log }: { url: string; log: Log }): Redis {
  const redis = new Redis(url, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  })
  let warnedAt = Number.NEGATIVE_INFINITY
  redis.on('error', (error) => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    log.warn({ err: error }, 'rate limits: Redis unavailable, counting in this process only')
  })
  return redis
}

/** Without Redis the metric has no value. */
export const sharedLimitsCollector = (redis: Redis | undefined): Collector =>
  collector({
    source: 'rate limits',
    metrics: {
      nifty_rate_limits_shared: { help: '1 while gateways share narrow limits in Redis, 0 while Redis is unavailable' },
    },
    read: async () => ({ nifty_rate_limits_shared: redis ? Number(redis.status === 'ready') : null }),
  })
