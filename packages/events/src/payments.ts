import { Type } from 'typebox'
import { defineEvent } from './define-event.ts'
import { Address, At, Cents, Id, Token } from './shapes.ts'

/** One item of an order, as it was when the order was placed. Nothing later changes it. */
export const OrderLine = {
  orderId: Id,
  lineId: Id,
  itemId: Id,
  token: Token,
  name: Type.String(),
  buyerId: Id,
  sellerId: Id,
  priceCents: Cents,
  at: At,
}

/** The money is held: deliver. */
export const orderLineAuthorised = defineEvent({
  name: 'payments.order-line-authorised.v1',
  key: 'orderId',
  data: Type.Object({
    ...OrderLine,
    /** Where the token goes: the buyer's wallet when the order was placed. */
    wallet: Address,
    /** Not delivered by then: the delivery is cancelled on the chain and the hold released. */
    deliverBy: At,
  }),
})

/** The line was delivered and its share of the hold captured. */
export const orderLineCompleted = defineEvent({
  name: 'payments.order-line-completed.v1',
  key: 'orderId',
  data: Type.Object({
    ...OrderLine,
    sellerCents: Cents,
    commissionCents: Cents,
    royaltyCents: Cents,
    txHash: Type.String(),
  }),
})

/** Nobody is charged. Catalog frees the item; minting stops; notification tells the buyer why. */
export const orderLineReleased = defineEvent({
  name: 'payments.order-line-released.v1',
  key: 'orderId',
  data: Type.Object({
    ...OrderLine,
    reason: Type.Union([Type.Literal('cancelled'), Type.Literal('expired'), Type.Literal('undeliverable')]),
    /** True when a card was held, so that the hold is being given back. */
    moneyWasHeld: Type.Boolean(),
  }),
})

/**
 * The order ended before payments knew whether catalog holds its item, so that only these ids are known. Nobody hears
 * of it but catalog: a reservation for this order is undone, and one that arrives late is refused.
 */
export const orderLineAbandoned = defineEvent({
  name: 'payments.order-line-abandoned.v1',
  key: 'orderId',
  data: Type.Object({ orderId: Id, lineId: Id, itemId: Id, at: At }),
})

/** Money went back after a capture. The buyer keeps the token, seller and creator keep what the sale earned. */
export const orderLineRefunded = defineEvent({
  name: 'payments.order-line-refunded.v1',
  key: 'orderId',
  data: Type.Object({ ...OrderLine, refundedCents: Cents }),
})
