import { conflict, forbidden, limitReached, notFound, unavailable } from '@nifty/service-kit/base/errors'

export const accountSuspended = () => forbidden('suspended', 'This account is suspended')

/** Until an operator allows further purchases. */
export const purchaseBlocked = () =>
  forbidden('purchase_blocked', 'A bank took back an earlier payment of this account. Please contact us to buy again.')

/** Too many works wait for their payment. */
export const tooManyReserved = () =>
  limitReached(
    'too_many_reserved',
    'Too many works are reserved for you. Please pay for them or cancel an order first.',
  )

export const tooManyReservedUnconfirmed = () =>
  limitReached(
    'too_many_reserved',
    'Until your e-mail address is confirmed, only a few works can be reserved at once. Please confirm it first.',
  )

/** The same for a missing order and for one of another buyer. */
export const orderNotFound = () => notFound('order_not_found', 'Order not found')

export const deliveryStarted = () =>
  conflict('delivery_started', 'The delivery has started, so the order cannot be cancelled any more')

export const offerAccepted = () =>
  conflict('offer_accepted', 'Your offer was accepted, so it cannot be withdrawn any more')

export const offerExists = (orderId: string) =>
  conflict(
    'offer_exists',
    'You have an offer for this work already. Please withdraw it first to offer another price.',
    {
      details: { orderId },
    },
  )

export const bidBinding = () => conflict('bid_binding', 'Your bid is binding and cannot be withdrawn')

/** A second click after the payment. */
export const bidPlacedAlready = (orderId: string) =>
  conflict('already_buying', 'Your bid is placed already', { details: { orderId } })

export const alreadyBuying = (orderId: string) =>
  conflict('already_buying', 'You are already buying this item', { details: { orderId } })

export const pageClosed = () => conflict('page_closed', 'Your payment page has closed, please try again')

export const salesPaused = () => unavailable('sales_paused', 'Sales are paused at the moment. Please try again later.')

export const paymentsUnavailable = () => unavailable('payments_unavailable', 'Payments are temporarily unavailable')
