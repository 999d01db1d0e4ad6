import type { passwordReset } from '@nifty/events/auth'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { AccountChange } from '../accounts/account.actions.ts'
import { lockAccount } from '../accounts/account.store.ts'
import { isBlocked, maySell } from '../accounts/account.ts'
import { endBidsOfBuyer } from '../auctions/auction.actions.ts'
import type { Database } from '../db.ts'
import { endOffers } from '../offers/offer.actions.ts'
import { lockItemsOfBuyer, lockItemsOfOwner, lockItemsToList, saveItem } from './item.store.ts'
import { updateCreatorText } from './item-text.store.ts'
import { databaseNow, endSelling, listPending, stopSale, stopSelling, withdraw } from './listing.actions.ts'
import { creatorText } from './search-text.ts'

/** Applies an account's change to its items and offers: the searched name, pending listings, what it may not trade. */
export async function applyAccountChange(trx: Transaction<Database>, change: AccountChange | undefined) {
  if (!change) return
  const { before, after, isFrozen } = change
  if (isBlocked(after)) await endBidding(trx, after.userId, isFrozen ? { but: 'leading' } : {})
  if (!before || creatorText(before) !== creatorText(after)) await updateCreatorText(trx, before, after)
  if (maySell(after)) {
    if (before && before.wallet !== after.wallet) await endWalletListings(trx, after.userId, after.wallet)
    for (const item of await lockItemsToList(trx, after.userId)) await listPending(trx, item, after)
  } else if (before && maySell(before)) {
    for (const item of await lockItemsOfOwner(trx, after.userId)) {
      await stopSelling(trx, item, 'account')
      if (after.suspended) await stopSale(trx, item)
    }
  }
}

/**
 * Ends the offers and the bids that the account made. A bid that leads is binding and stays when its bidder freezes the
 * account: it has outbid another one. Locks its own items with theirs, by id, since it sells no more either.
 */
async function endBidding(trx: Transaction<Database>, buyerId: string, kept: { but?: 'leading' }) {
  const items = await lockItemsOfBuyer(trx, buyerId)
  const end = { why: 'account', at: await databaseNow(trx), buyerId, ...kept } as const
  for (const item of items)
    if (item.ownerId !== buyerId) {
      await endOffers(trx, item, end)
      const after = await endBidsOfBuyer(trx, item, end)
      if (after !== item) await saveItem(trx, after)
    }
}

/** A mailed link replaced the password: somebody else may have had the account, so the owner lists again. */
export async function applyPasswordReset(trx: Transaction<Database>, { userId }: Static<typeof passwordReset.data>) {
  await lockAccount(trx, userId)
  await endWalletListings(trx, userId, null)
}

/** Ends sales out of all wallets but the present one (lower case): minting has ended their permits. */
async function endWalletListings(trx: Transaction<Database>, ownerId: string, present: string | null) {
  for (const item of await lockItemsOfOwner(trx, ownerId))
    if (item.wallet !== null && item.wallet !== present) {
      if (item.auctionId === null) await withdraw(trx, item, 'owner')
      else await endSelling(trx, item, 'undeliverable')
    }
}
