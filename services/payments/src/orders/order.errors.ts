import { conflict, forbidden, notFound, unavailable } from '@nifty/service-kit/base/errors'

export const accountSuspended = () => forbidden('suspended', 'This account is suspended')

/** The same for a missing order and for one of another buyer. */
export const orderNotFound = () => notFound('order_not_found', 'Order not found')

export const deliveryStarted = () =>
  conflict('delivery_started', 'The delivery has started, so the order cannot be cancelled any more')

export const alreadyBuying = (orderId: string) =>
  conflict('already_buying', 'You are already buying this item', { details: { orderId } })

export const pageClosed = () => conflict('page_closed', 'Your payment page has closed, please try again')

export const paymentsUnavailable = () => unavailable('payments_unavailable', 'Payments are temporarily unavailable')

const busy = () => unavailable('busy', 'Please try again in a moment.')

/** SQLSTATE of a `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03'

export const isLocked = (error: unknown) => (error as { code?: unknown })?.code === LOCK_NOT_AVAILABLE

/** Turns a lock timeout into a 503 `busy`. */
export async function orBusy<Result>(transaction: Promise<Result>): Promise<Result> {
  return transaction.catch((error) => {
    throw isLocked(error) ? busy() : error
  })
}
