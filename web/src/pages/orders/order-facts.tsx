import './order-facts.css'
import { orderNumber } from '@nifty/api/order-number'
import type { Order } from '@nifty/api/payments/public'
import { isFinal, isUndecidedBid } from '../../orders/order.ts'
import { deliveryFact } from '../../orders/order-copy.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Price } from '../../ui/price.tsx'
import { shorten } from '../../ui/shorten.ts'
import { Time } from '../../ui/time.tsx'
import { PriceSoFar } from './price-so-far.tsx'

/** Number, date, wallet, price and terms of an order, what is held, and the amount charged so far. */
export function OrderFacts({ order }: { order: Order }) {
  const { _id, createdAt, state, wallet, total, captured, termsVersion, decideBy, limit = null } = order
  return (
    <Facts
      className="order-facts"
      entries={[
        [
          'Order',
          <>
            {orderNumber(_id)} <CopyButton text={orderNumber(_id)} label="Copy order number" />
          </>,
        ],
        ['Placed', <Time key="placed" at={createdAt} />],
        wallet === null || state === 'released'
          ? deliveryFact(order)
          : [
              'To wallet',
              <>
                {shorten(wallet, 6, 6)} <CopyButton text={wallet} label="Copy wallet address" />
              </>,
            ],
        [
          state === 'held' ? 'Your most, held on your card' : 'Your most',
          limit !== null && <Price key="limit" euros={limit} />,
        ],
        ['Price so far', order.kind === 'bid' && state === 'held' && <PriceSoFar key="so-far" order={order} />],
        // Before the award, the total of a bid is its limit.
        [
          order.kind === 'offer' ? 'Your offer' : 'Price',
          !isUndecidedBid(order) && <Price key="price" euros={total} />,
        ],
        ['Can be accepted until', decideBy && <Time key="until" at={decideBy} />],
        [isFinal(order) ? 'Charged' : 'Charged so far', <Price key="charged" euros={captured} />],
        ['Terms accepted', `Version ${termsVersion}`],
      ]}
    />
  )
}
