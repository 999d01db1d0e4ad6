import { join } from 'node:path'
import { workersOf } from '@nifty/service-kit/jobs/jobs'
import { defineService, type ServiceSetup } from '@nifty/service-kit/service/define-service'
import { findAccounts } from './accounts/account.store.ts'
import { requireSeller } from './accounts/account.ts'
import { auctionBidsRoutes } from './auctions/auction-bids.routes.ts'
import { auctionRoutes } from './bidding/auction.routes.ts'
import { auctionSearchRoutes } from './bidding/auction-search.routes.ts'
import { bidRoutes } from './bidding/bid.routes.ts'
import { offerSearchRoutes } from './bidding/offer-search.routes.ts'
import { receivedOfferRoutes } from './bidding/received-offer.routes.ts'
import { createCachedResponses } from './cache/cached-responses.ts'
import { createGeneration } from './cache/generation.ts'
import { createMemoryCache } from './cache/response-cache.ts'
import { type Config, readConfig } from './config.ts'
import { subscriptions } from './consumers.ts'
import type { Database } from './db.ts'
import type { Deps } from './deps.ts'
import { exhibitionOpsRoutes, exhibitionRoutes } from './exhibitions/exhibition.routes.ts'
import { seriesRoutes } from './exhibitions/series.routes.ts'
import { favouriteRoutes } from './favourites/favourite.routes.ts'
import { featuredOpsRoutes, featuredRoutes } from './featured/featured.routes.ts'
import { followRoutes } from './follows/follow.routes.ts'
import { itemOwnerRoutes } from './items/item-owner.routes.ts'
import { itemSearchRoutes } from './items/item-search.routes.ts'
import { listingRoutes } from './items/listing.routes.ts'
import { moderationRoutes } from './items/moderation.routes.ts'
import { reservationRoutes } from './items/reservation.routes.ts'
import { visibilityRoutes } from './items/visibility.routes.ts'
import { jobs } from './jobs.ts'
import { creatorsRoutes } from './market/creators.routes.ts'
import { marketRoutes } from './market/market.routes.ts'
import { nftRoutes } from './market/nft.routes.ts'
import { sitemapRoutes } from './market/sitemap.routes.ts'
import { createCollectors } from './metrics.ts'
import { ownDataOpsRoutes, ownDataRoutes } from './own-data/own-data.routes.ts'
import { statisticsRoutes } from './statistics/statistics.routes.ts'

export const catalog = defineService({
  name: 'catalog',
  migrations: join(import.meta.dirname, '../migrations'),
  readConfig,
  create: async ({ db, log, config, clients }: ServiceSetup<'catalog', Config, Database>) => {
    const local = createMemoryCache({ maxBytes: config.marketCacheBytes })
    // A store in one process does not load the client of Redis.
    const redisCache = config.redis && (await import('./cache/redis-cache.ts'))
    const settings = { offers: config.offers }
    const cache = redisCache ? redisCache.createRedisCache({ ...config.redis!, settings, local, log }) : local
    const responses = createCachedResponses({ db, cache, generation: createGeneration({ db, log }) })
    const deps: Deps = {
      db,
      auth: clients.auth,
      minting: clients.minting,
      responses,
      offers: config.offers,
      auctions: config.auctions,
    }

    return {
      roles: { seller: async (userId) => requireSeller((await findAccounts(db, [userId])).get(userId)) },
      routes: (app) => {
        for (const routes of [marketRoutes, featuredRoutes, nftRoutes, creatorsRoutes, listingRoutes])
          app.register(routes, deps)
        for (const routes of [exhibitionRoutes, seriesRoutes, receivedOfferRoutes, auctionRoutes, auctionBidsRoutes])
          app.register(routes, deps)
        for (const routes of [visibilityRoutes, sitemapRoutes, favouriteRoutes, followRoutes, ownDataRoutes])
          app.register(routes, deps)
      },
      internalRoutes: (app) => {
        for (const routes of [
          reservationRoutes,
          bidRoutes,
          offerSearchRoutes,
          auctionSearchRoutes,
          itemOwnerRoutes,
          itemSearchRoutes,
          moderationRoutes,
          featuredOpsRoutes,
          exhibitionOpsRoutes,
          ownDataOpsRoutes,
          statisticsRoutes,
        ])
          app.register(routes, deps)
      },
      subscriptions,
      workers: workersOf(jobs, deps),
      collectors: createCollectors({ db, responses, cache }),
      stop: cache.stop,
    }
  },
})
