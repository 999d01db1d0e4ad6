import type { Auction, NftDetail } from '@nifty/api/catalog/public'
import { makeBid } from '@nifty/api/payments/bids'
import { formatPrice, priceRange } from '@nifty/api/price'
import { useState } from 'react'
import { send } from '../../api/api.ts'
import { leastBidText } from '../../auctions/panel/own-bids.ts'
import { Notice } from '../../ui/state.tsx'
import { AmountForm, type AmountFormProps } from './amount-form.tsx'

type Props = AmountFormProps & {
  item: NftDetail
  auction: Auction
  /** The least that the bid may name, in euros. */
  minimum: number
  /** The own limit while one's bid leads, in euros. */
  ownLimit: number | undefined
}

/** The most that the bidder would pay, recipient and terms. */
export function BidForm({ item, auction, minimum, ownLimit, ...common }: Props) {
  /** The amount that the server took for a slip, in euros. */
  const [unusual, setUnusual] = useState<number>()
  const isUnusual = (euros: number | undefined) => euros !== undefined && euros === unusual
  return (
    <AmountForm
      {...common}
      kind="bid"
      label="The most you would pay, in €"
      minimum={minimum}
      least={ownLimit === undefined ? leastBidText(auction) : `To raise, enter more than ${formatPrice(ownLimit)}.`}
      start={ownLimit === undefined ? minimum : Math.min(Math.ceil(minimum), priceRange.max)}
      place={async (limit, terms) => {
        const sure = isUnusual(limit) ? { sure: true as const } : {}
        const outcome = await send(makeBid, { timeoutMs: 40_000, body: { itemId: item._id, limit, ...terms, ...sure } })
        if (!outcome.ok && outcome.error.code === 'unusual_amount') setUnusual(limit)
        return outcome
      }}
      notes={(held) => (
        <>
          <li>
            Your bank holds {held} now. You pay only if you win: the opening price, or one step above the next bidder,
            at most what is held, and only after the work has arrived. When you are outbid the hold is given back at
            once; your bank may show it for some days.
          </li>
          {ownLimit !== undefined && (
            <li>Until the new bid stands, your bank also holds {formatPrice(ownLimit)} for the former one.</li>
          )}
          <li>A bid is binding: once your card is held, it cannot be withdrawn.</li>
        </>
      )}
      warning={({ euros }) =>
        isUnusual(euros) && (
          <Notice>
            {formatPrice(euros!)} is more than ten times the price now. If that is what you mean, please confirm it with
            the button.
          </Notice>
        )
      }
      action={(euros) => {
        if (euros === undefined) return 'Bid'
        return isUnusual(euros) ? `Yes, bid up to ${formatPrice(euros)}` : `Bid up to ${formatPrice(euros)}`
      }}
    />
  )
}
