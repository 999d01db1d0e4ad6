import { collector } from '@nifty/service-kit/base/metrics'
import type { CachedResponses } from './cache/cached-responses.ts'
import type { ResponseCache } from './cache/response-cache.ts'

type Sources = { responses: CachedResponses; cache: ResponseCache }

export const createCollectors = ({ responses, cache }: Sources) => [
  collector({
    source: 'market',
    metrics: {
      nifty_market_responses_total: {
        help: 'Market and item responses: from the cache (hit), built (miss), sharing a running build (joined), sent while the database does not respond (stale)',
        label: 'outcome',
        kind: 'counter',
      },
      nifty_market_cache_shared: { help: '1 while replicas share the cache in Redis, 0 while Redis is unavailable' },
    },
    read: async () => ({
      nifty_market_responses_total: responses.counts(),
      nifty_market_cache_shared: cache.isShared ? Number(await cache.isShared()) : null,
    }),
  }),
]
