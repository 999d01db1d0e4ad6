import './order-row.css'
import { orderNumber } from '@nifty/api/order-number'
import type { Order } from '@nifty/api/payments/public'
import { orderUrl } from '../../api/paths.ts'
import { isConditional, isUndecidedBid } from '../../orders/order.ts'
import { conditionalLabel, type Holder, statusLabel } from '../../orders/order-copy.ts'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'

const kinds = { offer: 'Offer', bid: 'Bid' }

/** One order in the list. */
export function OrderRow({ order, holder }: { order: Order; holder: Holder }) {
  const { _id, kind, state, total, createdAt, lines } = order
  const [first, ...others] = lines
  return (
    <Link to={orderUrl(_id)} className="order-row">
      {first && <img src={`${first.image}?w=320`} alt="" width="80" height="100" loading="lazy" />}
      <span className="order-row__item">
        <span className="order-row__name">
          <bdi>{first?.name}</bdi>
          {others.length > 0 && ` and ${others.length} more`}
        </span>
        <span className="order-row__when">
          {kind !== 'purchase' && `${kinds[kind]} · `}
          {orderNumber(_id)} · <Time at={createdAt} as={kind === 'purchase' ? 'day' : 'full'} />
        </span>
      </span>
      <span className="order-row__state" data-state={state}>
        {isConditional(order) ? conditionalLabel(order, holder) : statusLabel(state, holder)}
      </span>
      <span className="order-row__total">
        {state === 'released' ? (
          <s>
            <Price euros={total} />
          </s>
        ) : (
          <>
            {isUndecidedBid(order) && 'Up to '}
            <Price euros={total} />
          </>
        )}
      </span>
    </Link>
  )
}
