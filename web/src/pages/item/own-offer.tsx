import '../../ui/steps.css'
import type { Order } from '@nifty/api/payments/public'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { orderUrl } from '../../api/paths.ts'
import { offerEnding, wasHeld } from '../../orders/offer-ending.ts'
import { PaymentLink, useOpenPayment } from '../../orders/open-payment.tsx'
import { isUnderDelivery, isUnpaid, stepsOf } from '../../orders/order.ts'
import { declinedText } from '../../orders/order-copy.ts'
import { cancelOrder, useOrder } from '../../orders/use-orders.ts'
import { WithdrawOffer } from '../../orders/withdraw-offer.tsx'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'
import { Notice } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { useBusy } from '../../ui/use-busy.ts'

type Props = {
  order: Order
  /** The buyer comes back from the payment page of this order. */
  hasReturned: boolean
  /** The order has another state: the item and the list of offers are to be fetched again. */
  onChanged: () => void
}

/** Milliseconds in which the processor confirms a payment, or there was none. */
const CONFIRMED_MS = 20_000

/** The buyer's offer for the work: on its payment page, open, accepted, or why it ended. */
export function OwnOffer({ order: listed, hasReturned, onChanged }: Props) {
  const { order = listed, mutate } = useOrder(listed.state === 'released' ? null : listed._id)
  const [params] = useSearchParams()
  const isCancelled = params.has('cancelled')
  const changed = useEffectEvent(onChanged)
  useEffect(() => {
    if (order.state !== listed.state) changed()
  }, [order.state, listed.state])

  // The payment page's "back" link leads here: the offer is not made.
  const goesBack = hasReturned && isCancelled && isUnpaid(order)
  useEffect(() => {
    if (goesBack) void cancelOrder(listed._id).then((outcome) => mutate(outcome.ok ? outcome.data : undefined))
  }, [goesBack, listed._id, mutate])

  const [waits, setWaits] = useState(hasReturned && !isCancelled)
  useEffect(() => {
    const timer = setTimeout(() => setWaits(false), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [])
  const isConfirming = waits && isUnpaid(order) && !order.declined

  const [line] = order.lines
  const next = (changedOrder?: Order) => void mutate(changedOrder).then(() => onChanged())
  return (
    <section className="offer__own" aria-label="Your offer" tabIndex={-1}>
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
      {isUnderDelivery(order) && line && (
        <>
          <ol className="offer__steps steps">
            {stepsOf(line, order).map(({ state, title, at, phase }) => (
              <li key={state} data-phase={phase} aria-current={phase === 'now' ? 'step' : undefined}>
                {title}
                {at && (
                  <span className="notice">
                    <Time at={at} as="recent" />
                  </span>
                )}
              </li>
            ))}
          </ol>
          <Link to={orderUrl(order._id)}>Your order</Link>
        </>
      )}
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
        {hasReturned && 'The owner has your offer. '}
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
      ? 'Nothing was charged, and the hold on your card was given back.'
      : 'Nothing was held and nothing was charged.'
    return `${offerEnding(order).text} ${declinedText(order)}${hold}`
  }
  return 'The owner accepted your offer.'
}

function UnpaidActions({ order, onChanged }: { order: Order; onChanged: (order?: Order) => void }) {
  const url = useOpenPayment(order)
  const [busy, run] = useBusy()
  const [note, setNote] = useState('')
  const cancel = () =>
    run(async () => {
      const outcome = await cancelOrder(order._id)
      setNote(outcome.ok ? '' : outcome.error.message)
      onChanged(outcome.ok ? outcome.data : undefined)
    })
  return (
    <>
      <div className="offer__actions">
        {url && <PaymentLink url={url} />}
        <Button variant="secondary" busy={busy} busyLabel="One moment..." onClick={() => void cancel()}>
          Cancel
        </Button>
      </div>
      {note && <Notice>{note}</Notice>}
    </>
  )
}
