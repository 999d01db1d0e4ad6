import { type Collector, collector } from '@nifty/service-kit/base/metrics'
import { answers } from '@nifty/service-kit/database/redis-answers'
import type { Redis } from 'ioredis'

/** Without Redis the metric has no value. */
export const sharedLimitsCollector = (redis: Redis | undefined): Collector =>
  collector({
    source: 'rate limits',
    metrics: {
      nifty_rate_limits_shared: { help: '1 while gateways share narrow limits in Redis, 0 while Redis is unavailable' },
    },
    read: async () => ({ nifty_rate_limits_shared: redis ? Number(await answers(redis)) : null }),
  })
