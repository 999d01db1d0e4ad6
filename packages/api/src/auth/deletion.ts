import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Done, Id, IsoDate, Nullable } from '../shapes.ts'

/** A work of the account in the store's custody. */
export type WorkInCustody = { contract: string; identifier: string }

/** An order line that is paid and neither completed nor released. */
export type OpenLine = { orderId: string; name: string; role: 'buyer' | 'seller' }

/**
 * A bid that leads an auction, or is about to stand: of the account, or in an auction of its work. `auctionId`: null
 * until it leads.
 */
export type OpenBid = { auctionId: string | null; name: string; role: 'buyer' | 'seller' }

/** A gift that is not accepted yet. */
export type OpenGift = { _id: string; name: string }

export const deleteAccount = endpoint({
  summary: 'Deletes the own account',
  description:
    '409 `money_owed` with `details.lines` (OpenLine) while a sale of the account is under way; 409 `bid_leads` with ' +
    '`details.bids` (OpenBid) while a bid of the account leads, or one for a work that it auctions; 409 `gift_waits` ' +
    'with `details.gifts` (OpenGift) while a gift waits for its recipient; 409 `gift_on_its_way` with the same while ' +
    'one that the account accepted has not arrived; 409 `works_in_custody` with ' +
    '`details.works` (WorkInCustody) while the store keeps works for it, unless `giveUpWorks` is `true`; in both ' +
    'cases 409 `withdrawal_waits` with `details.until` while withdrawals wait or a mailed link can freeze the ' +
    'account. With such a link and nothing owed the account is closed, and erased when no link is valid any more.',
  method: 'DELETE',
  path: '/api/users/:id',
  access: 'account',
  stepUp: 'always',
  params: Type.Object({ id: Id }),
  query: Type.Object({ giveUpWorks: Type.Optional(Type.String({ maxLength: 5 })) }),
  /** `erasedFrom`: of a closed account, when no link can undo the deletion any more. */
  response: Type.Object({ ...Done.properties, erasedFrom: Nullable(IsoDate) }),
})
