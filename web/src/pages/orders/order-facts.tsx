import './order-facts.css'
import { orderNumber } from '@nifty/api/order-number'
import type { Order } from '@nifty/api/payments/public'
import { isFinal } from '../../orders/order.ts'
import { deliveryFact } from '../../orders/order-copy.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Price } from '../../ui/price.tsx'
import { shorten } from '../../ui/shorten.ts'
import { Time } from '../../ui/time.tsx'

/** Number, date, wallet, price and terms of an order, and the amount charged so far. */
export function OrderFacts({ order }: { order: Order }) {
  const { _id, createdAt, state, wallet, total, captured, termsVersion, decideBy } = order
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
        [order.kind === 'offer' ? 'Your offer' : 'Price', <Price key="price" euros={total} />],
        ['Can be accepted until', decideBy && <Time key="until" at={decideBy} />],
        [isFinal(order) ? 'Charged' : 'Charged so far', <Price key="charged" euros={captured} />],
        ['Terms accepted', `Version ${termsVersion}`],
      ]}
    />
  )
}
