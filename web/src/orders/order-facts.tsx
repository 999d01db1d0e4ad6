import './order-facts.css'
import type { Order } from '@nifty/api/payments'
import { CopyButton } from '../ui/copy-button.tsx'
import { Moment } from '../ui/moment.tsx'
import { Price } from '../ui/price.tsx'
import { shorten } from '../ui/shorten.ts'
import { orderNumber } from './telling.ts'

/** What was agreed, and what has been taken so far. */
export function OrderFacts({ order: { _id, createdAt, wallet, total, captured, termsVersion } }: { order: Order }) {
  return (
    <dl className="order-facts">
      <div>
        <dt>Order</dt>
        <dd className="tabular">
          {orderNumber(_id)} <CopyButton text={_id} label="Copy order number" />
        </dd>
      </div>
      <div>
        <dt>Placed</dt>
        <dd>
          <Moment at={createdAt} />
        </dd>
      </div>
      <div>
        <dt>To wallet</dt>
        <dd className="tabular">
          {shorten(wallet, 6, 6)} <CopyButton text={wallet} label="Copy wallet address" />
        </dd>
      </div>
      <div>
        <dt>Price</dt>
        <dd>
          <Price euros={total} />
        </dd>
      </div>
      <div>
        <dt>Charged so far</dt>
        <dd>
          <Price euros={captured} />
        </dd>
      </div>
      <div>
        <dt>Terms accepted</dt>
        <dd className="tabular">Version {termsVersion}</dd>
      </div>
    </dl>
  )
}
