import type { Order } from '@nifty/api/payments/public'
import { formatPrice } from '@nifty/api/price'
import type { ReactNode } from 'react'
import { type AuctionState, momentText } from '../../auctions/auction-state.ts'
import { endingOf } from '../../orders/bid-ending.ts'
import { wasHeld, whyOf } from '../../orders/offer-ending.ts'
import { isPlaced, isUnpaid, isWon } from '../../orders/order.ts'
import { arrivalText, declinedText } from '../../orders/order-copy.ts'
import { DeliverySteps } from './delivery-steps.tsx'
import { UnpaidActions } from './unpaid-actions.tsx'
import { useOwnOrder } from './use-own-order.ts'

type Props = {
  order: Order
  /** Undefined where the work has no auction any more. */
  state: AuctionState | undefined
  /** The bidder comes back from the payment page of this order. */
  hasReturned: boolean
  /** The order has another state: the item and the list of bids are to be fetched again. */
  onChanged: () => void
}

/** A bid of the bidder's: on its payment page, leading, won, arrived, or why it ended. */
export function OwnBid({ order: listed, state, hasReturned, onChanged }: Props) {
  const { order, section, isConfirming, next } = useOwnOrder({ listed, hasReturned, onChanged })
  return (
    <section ref={section} className="offer__own" aria-label="Your bid" tabIndex={-1}>
      {/* One element for all states, so that each change is announced. */}
      <p role="status">
        {isConfirming
          ? 'Your bank is confirming. This usually takes seconds, and this page updates by itself.'
          : textOf(order, { state, placed: isPlaced(listed) })}
      </p>
      {isUnpaid(order) && !isConfirming && <UnpaidActions order={order} onChanged={next} />}
      {isWon(order) && <DeliverySteps order={order} />}
    </section>
  )
}

type Shown = { state: AuctionState | undefined; placed: boolean }

/** `placed`: the auction has the bid, and so has the price that the page shows. */
function textOf(order: Order, { state, placed }: Shown): ReactNode {
  const most = formatPrice(order.limit ?? order.total)
  if (isUnpaid(order))
    return (
      <>
        {declinedText(order)}
        {order.expiresAt ? 'Your payment page is open until ' : 'Your payment page is being prepared'}
        {order.expiresAt && <time dateTime={order.expiresAt}>{momentText(order.expiresAt, Date.now())}</time>}. Nothing
        is held yet, and your bid of up to {most} does not count.
      </>
    )
  if (order.state === 'held' && !placed) return 'Your card is held, not charged. Your bid is being counted.'
  if (order.state === 'held')
    return state === 'closing'
      ? `You lead. Your maximum is ${most}. The last bids are being confirmed.`
      : `You lead. Your maximum is ${most}. Your card is held, not charged.`
  if (order.state !== 'released') return arrivalText(order) ?? `You won the auction for ${formatPrice(order.total)}.`
  const endedAt = order.timeline.findLast((entry) => entry.state === 'released')?.at
  if (!wasHeld(order)) return `${endingOf(order).text} ${declinedText(order)}Nothing was held and nothing was charged.`
  if (whyOf(order) === 'outbid' && endedAt)
    return (
      <>
        You were outbid, nothing was charged, your hold was given back at{' '}
        <time dateTime={endedAt}>{momentText(endedAt, Date.now())}</time>.
      </>
    )
  return `${endingOf(order).text} Nothing was charged, and the hold on your card was given back.`
}
