import '../../ui/steps.css'
import type { Order } from '@nifty/api/payments/public'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { orderUrl } from '../../api/paths.ts'
import { offerEnding, wasHeld } from '../../orders/offer-ending.ts'
import { PaymentLink, useOpenPayment } from '../../orders/open-payment.tsx'
import { isUnpaid, stepsOf } from '../../orders/order.ts'
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

  return (
    <section className="offer__own" aria-label="Your offer" tabIndex={-1}>
      <p>
        <span className="panel__label">Your offer</span> <Price euros={order.total} />
      </p>
      <State
        order={order}
        hasPaid={hasReturned && !isCancelled}
        onChanged={(next) => void mutate(next).then(() => onChanged())}
      />
    </section>
  )
}

type StateProps = { order: Order; hasPaid: boolean; onChanged: (order?: Order) => void }

function State({ order, hasPaid, onChanged }: StateProps) {
  if (isUnpaid(order)) return <Unpaid order={order} hasPaid={hasPaid} onChanged={onChanged} />
  if (order.state === 'held')
    return (
      <>
        <p role="status">
          {hasPaid && 'The owner has your offer. '}
          {order.decideBy && (
            <>
              It can be accepted until <Time at={order.decideBy} />.{' '}
            </>
          )}
          Your card is held, not charged.
        </p>
        <WithdrawOffer order={order} onChanged={onChanged} />
      </>
    )
  if (order.state === 'released')
    return (
      <p role="status">
        {offerEnding(order).text} {declinedText(order)}
        {wasHeld(order)
          ? 'Nothing was charged, and the hold on your card was given back.'
          : 'Nothing was held and nothing was charged.'}
      </p>
    )
  const [line] = order.lines
  return (
    <>
      <p role="status">The owner accepted your offer.</p>
      <ol className="offer__steps steps">
        {line &&
          stepsOf(line, order).map(({ state, title, at, phase }) => (
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
  )
}

function Unpaid({ order, hasPaid, onChanged }: StateProps) {
  const url = useOpenPayment(order)
  const [busy, run] = useBusy()
  const [note, setNote] = useState('')
  const [waits, setWaits] = useState(hasPaid)
  useEffect(() => {
    const timer = setTimeout(() => setWaits(false), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [])

  if (waits && !order.declined)
    return <p role="status">Your bank is confirming. This usually takes seconds, and this page updates by itself.</p>
  const cancel = () =>
    run(async () => {
      const outcome = await cancelOrder(order._id)
      setNote(outcome.ok ? '' : outcome.error.message)
      onChanged(outcome.ok ? outcome.data : undefined)
    })
  return (
    <>
      <p role="status">
        {declinedText(order)}
        {url ? 'Your payment page is open' : 'Your payment page is being prepared'}
        {url && order.expiresAt && (
          <>
            {' until '}
            <Time at={order.expiresAt} as="recent" />
          </>
        )}
        . Nothing is held yet, and the owner does not have your offer.
      </p>
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
