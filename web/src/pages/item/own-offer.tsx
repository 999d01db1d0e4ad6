import type { Order } from '@nifty/api/payments/public'
import { offerEnding, wasHeld } from '../../orders/offer-ending.ts'
import { isUnpaid, isWon } from '../../orders/order.ts'
import { arrivalText, declinedText } from '../../orders/order-copy.ts'
import { WithdrawOffer } from '../../orders/withdraw-offer.tsx'
import { Price } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'
import { DeliverySteps } from './delivery-steps.tsx'
import { UnpaidActions } from './unpaid-actions.tsx'
import { useOwnOrder } from './use-own-order.ts'

type Props = {
  order: Order
  /** The buyer comes back from the payment page of this order. */
  hasReturned: boolean
  /** The order has another state: the item and the list of offers are to be fetched again. */
  onChanged: () => void
}

/** The buyer's offer for the work: on its payment page, open, accepted, arrived, or why it ended. */
export function OwnOffer({ order: listed, hasReturned, onChanged }: Props) {
  const { order, section, isConfirming, next } = useOwnOrder({ listed, hasReturned, onChanged })
  return (
    <section ref={section} className="offer__own" aria-label="Your offer" tabIndex={-1}>
      <p>
        <span className="panel__label">Your offer</span> <Price euros={order.total} />
      </p>
      {/* One element for all states, so that each change is announced. */}
      <p role="status">
        {isConfirming ? (
          'Your bank is confirming. This usually takes seconds, and this page updates by itself.'
        ) : (
          <StateText order={order} hasReturned={hasReturned} />
        )}
      </p>
      {isUnpaid(order) && !isConfirming && <UnpaidActions order={order} onChanged={next} />}
      {order.state === 'held' && <WithdrawOffer order={order} onChanged={next} />}
      {isWon(order) && <DeliverySteps order={order} />}
    </section>
  )
}

function StateText({ order, hasReturned }: { order: Order; hasReturned: boolean }) {
  const { state, expiresAt, decideBy } = order
  if (isUnpaid(order))
    return (
      <>
        {declinedText(order)}
        {expiresAt ? 'Your payment page is open until ' : 'Your payment page is being prepared'}
        {expiresAt && <Time at={expiresAt} as="recent" />}. Nothing is held yet, and the owner does not have your offer.
      </>
    )
  if (state === 'held')
    return (
      <>
        {hasReturned && (decideBy ? 'The owner has your offer. ' : 'Your offer is on its way to the owner. ')}
        {decideBy && (
          <>
            It can be accepted until <Time at={decideBy} />.{' '}
          </>
        )}
        Your card is held, not charged.
      </>
    )
  if (state === 'released') {
    const hold = wasHeld(order)
      ? 'Nothing was charged, and the hold on your card is given back. Your bank may show it for some days.'
      : 'Nothing was held and nothing was charged.'
    return `${offerEnding(order).text} ${declinedText(order)}${hold}`
  }
  return arrivalText(order) ?? 'The owner accepted your offer.'
}
