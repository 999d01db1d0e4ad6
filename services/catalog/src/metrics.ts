import { collector } from '@nifty/service-kit/metrics/metrics'
import type { MarketCache } from './cache/cache.ts'
import type { MarketAnswers } from './cache/cached-responses.ts'

/** How the market's answers came about, and whether replicas share them. */
export const createCollectors = ({ market, cache }: { market: MarketAnswers; cache: MarketCache }) => [
  collector({
    source: 'market',
    metrics: {
      nifty_market_responses_total: {
        help: 'Answers about the market and its works: kept ones (hit), built ones (miss), and those that joined one being built',
        label: 'outcome',
        kind: 'counter',
      },
      nifty_market_cache_shared: { help: '1 while Redis shares answers between replicas, 0 while it is gone' },
    },
    read: async () => ({
      nifty_market_responses_total: market.counts(),
      nifty_market_cache_shared: cache.isShared ? Number(cache.isShared()) : null,
    }),
  }),
]
