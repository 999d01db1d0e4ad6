import type { Row } from '../db.ts'

export type Delivery = Row<'delivery'>
export type DeliveryState = Delivery['state']
/** A delivery that knows what it delivers: every one but the tombstone of a line that was stopped first. */
export type KnownDelivery = Delivery & { token: string; fromId: string; buyerId: string; wallet: string }

/** Why the token did not move. Programs read these; the chain's own words are in the delivery's note. */
export type FailureReason =
  | 'deadline'
  | 'reverted'
  | 'refused'
  | 'not_owner'
  | 'permit_required'
  | 'recipient_refuses'
  | 'unknown_token'
  | 'sold'

/**
 * How a delivery goes on. `waiting` again after a signature means that its nonce was used up, finally, by something
 * else. The database refuses everything that is not in this table.
 */
export const transitions: Record<DeliveryState, DeliveryState[]> = {
  waiting: ['signed', 'final', 'failed', 'stopped'],
  signed: ['waiting', 'final', 'failed'],
  final: [],
  failed: [],
  stopped: [],
}

/** What a request to stop is answered: whether the token will certainly stay where it is. */
export const isStopped = (state: DeliveryState) => state === 'stopped' || state === 'failed'
