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
 */
export type Stop = Static<typeof Stop>
export const Stop = Type.Object({ stopped: Type.Boolean() })
export const stopDelivery = endpoint({
  method: 'POST',
  path: '/internal/deliveries/:lineId/stop',
  access: 'service',
  params: Type.Object({ lineId: Id }),
  body: Type.Object({ orderId: Id, reason: Type.Union([Type.Literal('cancelled'), Type.Literal('deadline')]) }),
  response: Stop,
})
