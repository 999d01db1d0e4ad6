import type { Order } from '@nifty/api/payments/public'
import { useConfig } from '../api/use-config.ts'
import { Time } from '../ui/time.tsx'
import { isUnpaid } from './order.ts'
import { isPaymentPage } from './payment-page.ts'

/** The payment page of an unpaid order; undefined before it is there. */
export function useOpenPayment(order: Order | undefined): string | undefined {
  const config = useConfig()
  return order && isUnpaid(order) && order.url && isPaymentPage(order.url, config) ? order.url : undefined
}

/** Until when the works of an unpaid order are reserved for the buyer. */
export const ReservedForYou = ({ order: { expiresAt } }: { order: Pick<Order, 'expiresAt'> }) =>
  expiresAt && (
    <p className="notice">
      Reserved for you until <Time at={expiresAt} as="recent" />.
    </p>
  )

export const PaymentLink = ({ url, className = '' }: { url: string; className?: string }) => (
  <a className={`button button--primary ${className}`} href={url}>
    Continue to payment
  </a>
)

/** The way back to the payment page of an unpaid order, and until when the works of a purchase are reserved. */
export function OpenPayment({ order }: { order: Order }) {
  const url = useOpenPayment(order)
  if (!url) return null
  return (
    <>
      {order.kind === 'purchase' && <ReservedForYou order={order} />}
      <PaymentLink url={url} />
    </>
  )
}
