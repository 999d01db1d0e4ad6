import { closeNextDay } from '@nifty/service-kit/database/statistics'
import type { Jobs } from '@nifty/service-kit/jobs/jobs'
import { isAuctionDue, runAuctions } from './bidding/due-auctions.actions.ts'
import { endDueOffers, isOfferDue } from './bidding/due-offers.actions.ts'
import type { Database } from './db.ts'
import type { Deps } from './deps.ts'
import { createArtistTextRepair } from './items/artist-text.store.ts'
import { fillEarlierItems } from './items/earlier-items.store.ts'
import { publishAuctionNews } from './news/auction-news.actions.ts'
import { isAuctionNewsDue } from './news/auction-news.store.ts'
import { publishItemNews } from './news/item-news.actions.ts'
import { isNewsDue } from './news/item-news.store.ts'
import { marketFigures } from './statistics/statistics.store.ts'

const MINUTE_MS = 60_000

export const jobs = {
  'item news': {
    does: 'publishes what happened to a work, in portions of accounts, to those who marked it or follow its artist',
    work: 'itemNews',
    everyMs: 1_000,
    retry: 'next interval',
    handler: ({ db }) => ({ isDue: () => isNewsDue(db), run: () => publishItemNews(db) }),
  },
  'auction news': {
    does: 'publishes that an auction began or ends within the hour to those who marked its work, or have bid',
    work: 'auctionNews',
    everyMs: 1_000,
    retry: 'next interval',
    handler: ({ db }) => ({ isDue: () => isAuctionNewsDue(db), run: () => publishAuctionNews(db) }),
  },
  offers: {
    does: 'ends offers that nobody accepted in time, and those whose card was not held within an hour',
    work: 'offer',
    everyMs: 1_000,
    retry: 'next interval',
    handler: ({ db }) => ({ isDue: () => isOfferDue(db), run: () => endDueOffers(db) }),
  },
  auctions: {
    does: 'decides auctions whose end has come, ends bids whose card was not held within an hour, and moves the ends that fall into an outage',
    work: 'auction',
    everyMs: 1_000,
    retry: 'next interval',
    handler: ({ db }) => ({ isDue: () => isAuctionDue(db), run: () => runAuctions(db) }),
  },
  'earlier items': {
    does: 'adds what works of an earlier version lack: searched text, colour, shape and their words',
    work: 'item',
    everyMs: 60 * MINUTE_MS,
    retry: 'next interval',
    handler: ({ db }) => ({ run: () => fillEarlierItems(db) }),
  },
  'artist texts': {
    does: 'repairs the names by which artists are found, where they differ from the account',
    work: 'artistText',
    everyMs: 10 * MINUTE_MS,
    retry: 'next interval',
    handler: ({ db }) => ({ run: createArtistTextRepair(db) }),
  },
  statistics: {
    does: 'stores the figures of a day that is over',
    work: 'statisticsDay',
    everyMs: 10 * 60_000,
    retry: 'next interval',
    handler: ({ db }) => ({ run: () => closeNextDay(db, marketFigures) }),
  },
} satisfies Jobs<Pick<Deps, 'db'>, Database>
