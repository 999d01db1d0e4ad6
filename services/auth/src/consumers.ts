import { bidEnded, bidLeads, unusualPriceListed } from '@nifty/events/catalog'
import {
  giftClaimed,
  giftClaimFailed,
  giftEnded,
  giftOffered,
  tokenMoved,
  withdrawalRequested,
} from '@nifty/events/minting'
import {
  bidReleased,
  orderLineAuthorised,
  orderLineCompleted,
  orderLineReleased,
  orderLineWrittenOff,
} from '@nifty/events/payments'
import { on, type Subscription } from '@nifty/service-kit/messaging/inbox'
import { alertOwner } from './accounts/account.actions.ts'
import { lockAccount } from './accounts/account.store.ts'
import type { MailConfig } from './config.ts'
import type { Database } from './db.ts'
import {
  completeLine,
  endOpenBid,
  releaseLine,
  saveCustody,
  saveOpenBid,
  saveOpenClaim,
  saveOpenGift,
  saveOpenLine,
} from './obligations/obligation.store.ts'

/** Only owners and operators change accounts: what is consumed causes mails, or is what the store owes an account. */
export const createSubscriptions = ({ mailTokenKeys }: MailConfig): Subscription<Database>[] => [
  on(withdrawalRequested, async (trx, { userId, wallet, name: work }) => {
    const account = await lockAccount(trx, userId)
    if (account) await alertOwner(trx, account, { what: 'withdrawal_requested', to: wallet, work }, mailTokenKeys)
  }),
  on(unusualPriceListed, async (trx, { userId, name, priceCents, formerCents }) => {
    const account = await lockAccount(trx, userId)
    if (account) await alertOwner(trx, account, { what: 'unusual_price', name, priceCents, formerCents }, mailTokenKeys)
  }),
  on(giftOffered, async (trx, { giftId, giverId, name, number, orderId }) => {
    await saveOpenGift(trx, { giftId, giverId, name, ended: false })
    // The first link of a bought gift belongs to the purchase, which has mails of its own.
    const account = orderId === null || number > 1 ? await lockAccount(trx, giverId) : undefined
    const what = number > 1 ? 'gift_corrected' : 'gift_given'
    if (account) await alertOwner(trx, account, { what, work: name }, mailTokenKeys)
  }),
  on(giftEnded, (trx, { giftId, giverId, name }) => saveOpenGift(trx, { giftId, giverId, name, ended: true })),
  on(giftClaimed, (trx, { at: _at, ...claim }) => saveOpenClaim(trx, { ...claim, ended: false })),
  // The position is of no use any more.
  on(giftClaimFailed, (trx, { at: _at, ...claim }) => saveOpenClaim(trx, { ...claim, position: 0, ended: true })),
  on(tokenMoved, (trx, { token, contract, identifier, ownerId, wallet, position }) =>
    saveCustody(trx, { token, contract, identifier, ownerId, wallet, position }),
  ),
  on(bidLeads, (trx, { orderId, auctionId, name, buyerId: bidderId, ownerId: sellerId, latestEndAt }) =>
    saveOpenBid(trx, { orderId, auctionId, name, bidderId, sellerId, latestEndAt: new Date(latestEndAt) }),
  ),
  // One that has won is binding until its order is a sale under way.
  on(bidEnded, async (trx, bid) => {
    if (bid.outcome === 'lost') await endOpenBid(trx, bid)
  }),
  // Also of one that a restored catalog does not have.
  on(bidReleased, endOpenBid),
  on(orderLineAuthorised, saveOpenLine),
  on(orderLineCompleted, completeLine),
  on(orderLineWrittenOff, completeLine),
  on(orderLineReleased, releaseLine),
]
