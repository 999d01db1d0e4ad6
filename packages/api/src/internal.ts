/** What services ask each other directly, on ports that the gateway cannot reach. */
import { type Static, Type } from 'typebox'
import { responses } from './problem.ts'
import { Id } from './shapes.ts'

const Cents = Type.Integer({ minimum: 0 })

/** auth: keys that sign tokens, and the sessions that ended while their tokens still live. */
export type SessionList = Static<typeof SessionList>
export const SessionList = Type.Object({
  keys: Type.Array(Type.Object({ kid: Type.String(), publicKey: Type.String() })),
  endedSessions: Type.Array(Type.String()),
})
export const sessionList = { response: responses({ 200: SessionList }) }

/** auth: may this account buy, and where does a token go? */
export type Buyer = Static<typeof Buyer>
export const Buyer = Type.Object({
  userId: Id,
  username: Type.String(),
  email: Type.String(),
  wallet: Type.Union([Type.String(), Type.Null()]),
  suspended: Type.Boolean(),
})
export const buyer = { params: Type.Object({ id: Id }), response: responses({ 200: Buyer }) }

/**
 * auth: `POST /internal/ops/{grant-admin | revoke-admin | suspend-account | reinstate-account | confirm-email}`. `by` is
 * the person who does it, `why` the reason; both are kept.
 */
export const operatorCommand = {
  body: Type.Object({
    email: Type.String({ minLength: 1, maxLength: 254 }),
    by: Type.String({ minLength: 1, maxLength: 100 }),
    why: Type.String({ minLength: 1, maxLength: 500 }),
  }),
  response: responses({ 200: Type.Object({ success: Type.Literal(true), userId: Id }) }),
}

/** catalog: all items, or none. Asked again by the same order it answers the same. */
export type Reservation = Static<typeof reserve.body>
export type ReservedLine = Static<typeof ReservedLine>
export const ReservedLine = Type.Object({
  itemId: Id,
  contract: Type.String(),
  identifier: Type.String(),
  name: Type.String(),
  /** Path of its picture. */
  image: Type.String(),
  category: Type.String(),
  sellerId: Id,
  sellerUsername: Type.String(),
  creatorId: Id,
  royaltyBps: Type.Integer(),
  priceCents: Cents,
  listingVersion: Type.Integer(),
})
export const reserve = {
  body: Type.Object({
    orderId: Id,
    buyerId: Id,
    /** Lower case. */
    buyerWallet: Type.String(),
    /** For the clock that other visitors see. */
    until: Type.String(),
    items: Type.Array(Type.Object({ itemId: Id, priceCents: Cents }), { minItems: 1, maxItems: 10 }),
  }),
  response: responses({ 200: Type.Object({ lines: Type.Array(ReservedLine) }) }),
}

/** catalog: the operator hides an item, or shows it again, and says who and why. */
export const hideItem = {
  params: Type.Object({ id: Id }),
  body: Type.Object({
    by: Type.String({ minLength: 1, maxLength: 200 }),
    why: Type.String({ minLength: 1, maxLength: 500 }),
  }),
  response: responses({ 200: Type.Object({ success: Type.Literal(true) }) }),
}

/** minting: would the chain deliver these now? `to` is absent when an item is only being listed. */
export type Deliverable = Static<typeof Deliverable>
export const Deliverable = Type.Object({
  tokens: Type.Array(
    Type.Object({
      token: Type.String(),
      deliverable: Type.Boolean(),
      /** permit_required · not_owner · unknown_token · recipient_refuses · being_delivered; null when deliverable. */
      code: Type.Union([Type.String(), Type.Null()]),
      /** Typed data to sign, with permit_required. */
      permit: Type.Optional(Type.Unknown()),
    }),
  ),
})
export const deliverable = {
  body: Type.Object({
    to: Type.Optional(Type.String()),
    tokens: Type.Array(Type.Object({ token: Type.String(), ownerId: Id }), { minItems: 1, maxItems: 10 }),
  }),
  response: responses({ 200: Deliverable }),
}

/**
 * minting: `POST /internal/deliveries/{lineId}/stop`: do not sign for this line any more. Decided in one transaction:
 * `stopped: true` promises that nothing was signed and nothing ever will be, also for a line that minting has not heard
 * of yet; payments then releases the line itself. `stopped: false` says that a signature exists: what follows is
 * `delivery-final` or `delivery-failed`. With reason `deadline` it is also the order to cancel it by the same nonce.
 * Asked again, it answers the same.
 */
export type Stop = Static<typeof Stop>
export const Stop = Type.Object({ stopped: Type.Boolean() })
export const stopDelivery = {
  params: Type.Object({ lineId: Id }),
  body: Type.Object({ orderId: Id, reason: Type.Union([Type.Literal('cancelled'), Type.Literal('deadline')]) }),
  response: responses({ 200: Stop }),
}
