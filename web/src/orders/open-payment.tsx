import type { Order } from '@nifty/api/payments/public'
import { useConfig } from '../api/use-config.ts'
import { Time } from '../ui/time.tsx'
import { isUnpaid } from './order.ts'
import { isPaymentPage } from './payment-page.ts'

/** The way back to the payment page of an unpaid order, and until when its works are reserved for the buyer. */
export function OpenPayment({ order }: { order: Order }) {
  const config = useConfig()
  if (!isUnpaid(order) || !order.url || !isPaymentPage(order.url, config)) return null
  return (
    <>
      {order.expiresAt && (
        <p className="notice">
          Reserved for you until <Time at={order.expiresAt} as="recent" />.
        </p>
      )}
      <a className="button button--primary" href={order.url}>
        Continue to payment
      </a>
    </>
  )
}
