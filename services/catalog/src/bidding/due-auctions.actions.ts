import { BANKS_HAVE_MS } from '@nifty/api/auction-limits'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { publishEvents } from '@nifty/service-kit/messaging/outbox'
import type { Kysely, Transaction } from 'kysely'
import { endAuction, endLivingBids } from '../auctions/auction.actions.ts'
import { bidOutcomeEvent, publishAuctionEnd } from '../auctions/auction.events.ts'
import {
  findAuctionsEndingAfter,
  findDueAuctions,
  isClockDue,
  lockClock,
  saveAuction,
  saveClock,
} from '../auctions/auction.store.ts'
import { isDecidable, isOutage } from '../auctions/auction.ts'
import { findLeader, findLivingBids, findUnheldBids, saveBids } from '../auctions/bid.store.ts'
import type { Bid, Database } from '../db.ts'
import { lockItems, saveItem } from '../items/item.store.ts'
import { reserved, takeOffAuction } from '../items/item.ts'
import { databaseNow, saveUnlisted } from '../items/listing.actions.ts'
import { endUnheldBid } from './auction-bid.actions.ts'
import { type LockedAuction, lockAuction, lockedAuction } from './auction-lock.ts'
import { DUE_AT_ONCE, eachDue } from './each-due.ts'

export const isAuctionDue = async (db: Kysely<Database>) =>
  (await isClockDue(db)) ||
  (await findDueAuctions(db, BANKS_HAVE_MS, 1)).length > 0 ||
  (await findUnheldBids(db, 1)).length > 0

/**
 * Moves the ends of an outage first, then decides auctions whose end has come, and ends bids that were not held.
 * Returns whether there were any.
 */
export async function runAuctions(db: Kysely<Database>): Promise<boolean> {
  type Action = (trx: Transaction<Database>) => Promise<void>
  const clock: Action[] = (await isClockDue(db)) ? [keepClock] : []
  const decisions = await findDueAuctions(db, BANKS_HAVE_MS, DUE_AT_ONCE)
  const unheld = await findUnheldBids(db, DUE_AT_ONCE)
  const each = (ids: string[], run: (trx: Transaction<Database>, id: string) => Promise<void>) =>
    ids.map((id) => (trx: Transaction<Database>) => run(trx, id))
  const due: Action[] = [...each(decisions, decide), ...each(unheld, endUnheldBid)]
  await eachDue([...clock, ...due], (action) => inTransaction(db, action))
  return due.length > 0
}

/** Stores that auctions are watched. After an outage moves the ends that fell into it, or follow it closely. */
async function keepClock(trx: Transaction<Database>) {
  const seenAt = await lockClock(trx)
  if (isOutage(seenAt, await databaseNow(trx))) {
    const running = await findAuctionsEndingAfter(trx, seenAt)
    const items = await lockItems(
      trx,
      running.map(({ itemId }) => itemId),
    )
    for (const item of items) if (item.auctionId !== null) await lockedAuction(trx, item, item.auctionId)
  }
  await saveClock(trx, await databaseNow(trx))
}

/** Awards the work to the leader, or ends the auction without a sale, unless it is not over any more. */
async function decide(trx: Transaction<Database>, id: string) {
  const locked = (await lockAuction(trx, id))!
  const { item, auction, now } = locked
  const hasStarted = (await findLivingBids(trx, id)).some(({ state }) => state === 'started')
  if (!isDecidable(auction, { now, hasStarted })) return
  const leader = await findLeader(trx, auction)
  if (leader) return award(trx, locked, leader)
  await endAuction(trx, item, auction, { outcome: 'unsold', at: now })
  const after = { ...takeOffAuction(item, auction), delistedAt: now }
  await saveUnlisted(trx, { before: item, after, reason: 'owner', at: now.toISOString() })
}

/** Reserves the item for the order of the leader, at the price now. The bids end that were not held in time. */
async function award(trx: Transaction<Database>, { item, auction, now }: LockedAuction, leader: Bid) {
  const { orderId, bidderId: buyerId } = leader
  const awarded = { ...auction, state: 'awarded' } as const
  const won = { ...leader, state: 'won' } as const
  await saveBids(trx, [won])
  await saveAuction(trx, awarded)
  await endLivingBids(trx, { item, auction: awarded }, { why: 'too_late', at: now })
  // Payments asks about a reservation past its time, as after the end of a payment page.
  await saveItem(trx, reserved(item, { orderId, buyerId, priceCents: auction.priceCents!, until: now }))
  await publishEvents(trx, [
    bidOutcomeEvent({ item, auction: awarded, bid: won }, { outcome: 'won', wasHeld: true, at: now }),
  ])
  await publishAuctionEnd(trx, item, awarded, { outcome: 'awarded', at: now })
}
