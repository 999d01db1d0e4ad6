import type { OpenBid, OpenGift, OpenLine, WorkInCustody } from '@nifty/api/auth/deletion'
import { conflict } from '@nifty/service-kit/base/errors'

export const worksInCustody = (works: WorkInCustody[]) =>
  conflict('works_in_custody', 'The store keeps works for this account. Withdraw them to a wallet first.', {
    details: { works },
  })

/** `until`: the end of the waiting time, and of the links that freeze the account. */
export const deletionWaits = (until: Date) =>
  conflict(
    'withdrawal_waits',
    'Your account was changed a short time ago. For your safety it cannot be deleted with works or sales until later.',
    { details: { until: until.toISOString() } },
  )

export const giftWaits = (gifts: OpenGift[]) =>
  conflict('gift_waits', 'A gift of this account waits for its recipient. Please take it back first.', {
    details: { gifts },
  })

export const giftOnItsWay = (gifts: OpenGift[]) =>
  conflict('gift_on_its_way', 'A gift that you accepted is on its way to you. Please try again in a few minutes.', {
    details: { gifts },
  })

export const moneyOwed = (lines: OpenLine[]) =>
  conflict('money_owed', 'A sale of this account is under way. It ends within a day; please try again then.', {
    details: { lines },
  })

export const bidLeads = (bids: OpenBid[]) =>
  conflict('bid_leads', 'A bid of this account, or for its work, leads an auction. Please try again after its end.', {
    details: { bids },
  })
