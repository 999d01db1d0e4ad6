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
 * minting: `POST /internal/deliveries/{lineId}/stop`: do not sign for this line any more. Decided in one transaction:
 * `stopped: true` promises that nothing was signed and nothing ever will be, also for a line that minting has not heard
 * of yet; payments then releases the line itself. `stopped: false` says that a signature exists: what follows is
 * `delivery-final` or `delivery-failed`. With reason `deadline` it is also the order to cancel it by the same nonce.
 * Asked again, it answers the same.
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
