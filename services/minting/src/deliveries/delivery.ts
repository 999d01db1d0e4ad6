import type { Row } from '../db.ts'

export type Delivery = Row<'delivery'>
type DeliveryState = Delivery['state']
/** Every delivery but the tombstone of a line that was stopped before it was stored. */
export type KnownDelivery = Delivery & { token: string; fromId: string; buyerId: string }

/** Why the token did not move. The revert reason, as text, is in the delivery's `note`. */
export type FailureReason =
  | 'deadline'
  | 'reverted'
  | 'refused'
  | 'not_owner'
  | 'permit_required'
  | 'recipient_refuses'
  | 'unknown_token'
  | 'sold'
  | 'suspended'

/**
 * From `signed` back to `waiting`: another transaction has the nonce in a final block. A trigger of the database
 * refuses every transition that is not in this table.
 */
export const transitions: Record<DeliveryState, DeliveryState[]> = {
  waiting: ['signed', 'final', 'failed', 'stopped'],
  signed: ['waiting', 'final', 'failed'],
  final: [],
  failed: [],
  stopped: [],
}

/** True when the token certainly stays where it is. */
export const isStopped = (state: DeliveryState) => state === 'stopped' || state === 'failed'
