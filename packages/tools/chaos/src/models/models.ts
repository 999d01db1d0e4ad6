import type { Campaign } from '../campaign/campaign.ts'
import { exploreAuction } from './auctions/auction.ts'
import type { Interference } from './auctions/state.ts'
import { exploreOffers } from './offers/offer.ts'

const all: Interference = { lostHolds: 1, movedTokens: 1, refusedDeliveries: 1, purchases: 0 }

/** The models with three orders and everything that interferes: more than unit tests have time for. */
export const models: Campaign = async (log) => {
  const explored = {
    'three offers': exploreOffers('as designed', 3, all),
    'three bids': exploreAuction('as designed', 3, all),
  }
  const metrics: Record<string, number> = {}
  const violations: string[] = []
  for (const [name, { states, violations: found }] of Object.entries(explored)) {
    metrics[`states of ${name}`] = states
    for (const [violation, path] of found) {
      violations.push(`${name}: ${violation}`)
      log(`${violation}: ${path.join(', ')}`)
    }
  }
  return { metrics, violations }
}
