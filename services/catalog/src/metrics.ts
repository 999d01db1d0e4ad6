import { collector } from '@nifty/service-kit/base/metrics'
import type { Kysely } from 'kysely'
import { countOpenAuctions } from './bidding/auction-search.store.ts'
import type { CachedResponses } from './cache/cached-responses.ts'
import type { ResponseCache } from './cache/response-cache.ts'
import type { Database } from './db.ts'
import { countOpenOffers } from './offers/offer.store.ts'

type Sources = { db: Kysely<Database>; responses: CachedResponses; cache: ResponseCache }

export const createCollectors = ({ db, responses, cache }: Sources) => [
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
  collector({
    source: 'offers',
    metrics: {
      nifty_offers_open: { help: 'Offers whose card is held and whose owner has not decided' },
      nifty_offers_overdue_seconds: { help: 'For how long the oldest open offer is past its end, 0 when none is' },
    },
    read: async () => {
      const { open, overdueSeconds } = await countOpenOffers(db)
      return { nifty_offers_open: open, nifty_offers_overdue_seconds: overdueSeconds }
    },
  }),
  collector({
    source: 'auctions',
    metrics: {
      nifty_auctions_open: { help: 'Auctions that are not decided' },
      nifty_auctions_overdue_seconds: { help: 'For how long the oldest open auction is past its end, 0 when none is' },
    },
    read: async () => {
      const { open, overdueSeconds } = await countOpenAuctions(db)
      return { nifty_auctions_open: open, nifty_auctions_overdue_seconds: overdueSeconds }
    },
  }),
]
