import type { Order } from '@nifty/api/payments/public'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { isUnpaid } from '../../orders/order.ts'
import { cancelOrder, useOrder } from '../../orders/use-orders.ts'

type Own = {
  /** As the list of orders has it. */
  listed: Order
  /** The buyer comes back from the payment page of this order. */
  hasReturned: boolean
  /** The order has another state, or its auction has the bid: the item and the list are to be fetched again. */
  onChanged: () => void
}

/** Milliseconds in which the processor confirms a payment, or there was none. */
const CONFIRMED_MS = 20_000

/** An offer or a bid of the buyer's on the page of its work, before and after its payment page. */
export function useOwnOrder({ listed, hasReturned, onChanged }: Own) {
  const { order = listed, mutate } = useOrder(listed.state === 'released' ? null : listed._id)
  const [params] = useSearchParams()
  const isCancelled = params.has('cancelled')
  const changed = useEffectEvent(onChanged)
  useEffect(() => {
    if (order.state !== listed.state || order.auctionId !== listed.auctionId) changed()
  }, [order.state, listed.state, order.auctionId, listed.auctionId])

  // The payment page's "back" link leads here: the offer or bid is not made.
  const goesBack = hasReturned && isCancelled && isUnpaid(order)
  useEffect(() => {
    if (goesBack) void cancelOrder(listed._id).then((outcome) => mutate(outcome.ok ? outcome.data : undefined))
  }, [goesBack, listed._id, mutate])

  const [waits, setWaits] = useState(hasReturned && !isCancelled)
  useEffect(() => {
    const timer = setTimeout(() => setWaits(false), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [])

  // On a phone its section is far below what the page begins with.
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (hasReturned) section.current?.scrollIntoView({ block: 'center' })
  }, [hasReturned])

  return {
    order,
    section,
    isConfirming: waits && isUnpaid(order) && !order.declined,
    next: (changedOrder?: Order) => void mutate(changedOrder).then(() => onChanged()),
  }
}
