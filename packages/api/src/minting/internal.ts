import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, Nullable } from '../shapes.ts'

/** minting: would the chain deliver these now? `to` is absent when an item is only being listed. */
export type Deliverable = Static<typeof Deliverable>
export const Deliverable = Type.Object({
  tokens: Type.Array(
    Type.Object({
      token: Type.String(),
      deliverable: Type.Boolean(),
      /** permit_required · not_owner · unknown_token · recipient_refuses · being_delivered; null when deliverable. */
      code: Nullable(Type.String()),
      /** Typed data to sign, with permit_required. */
      permit: Type.Optional(Type.Unknown()),
    }),
  ),
})
export const checkDeliverable = endpoint({
  method: 'POST',
  path: '/internal/deliverable',
  access: 'service',
  body: Type.Object({
    to: Type.Optional(Type.String()),
    tokens: Type.Array(Type.Object({ token: Type.String(), ownerId: Id }), { minItems: 1, maxItems: 10 }),
  }),
  response: Deliverable,
})

/**
 * Stops the delivery of a line. `stopped: true` promises that the line is not signed and never will be, also when its
 * order event arrives later; payments then releases the line. `stopped: false` means that a signature exists, and
 * `delivery-final` or `delivery-failed` follows; with reason `deadline` its nonce is cancelled. Idempotent.
 *
 * `pending`: it is not known yet whether the chain has delivered the line, because the index has not passed the newest
 * final block; the caller requests again. `delivered`: a final block has the delivery.
 */
export type Stop = Static<typeof Stop>
export const Stop = Type.Object({
  stopped: Type.Boolean(),
  pending: Type.Optional(Type.Literal(true)),
  delivered: Type.Optional(Type.Object({ token: Type.String(), wallet: Type.String(), txHash: Type.String() })),
})
export const stopDelivery = endpoint({
  method: 'POST',
  path: '/internal/deliveries/:lineId/stop',
  access: 'service',
  params: Type.Object({ lineId: Id }),
  body: Type.Object({ orderId: Id, reason: Type.Union([Type.Literal('cancelled'), Type.Literal('deadline')]) }),
  response: Stop,
})
