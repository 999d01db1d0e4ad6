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
  | 'contested'

/**
 * From `signed` back to `waiting`: another transaction has the nonce in a final block. A trigger of the database
 * refuses every transition that is not in this table, except that a withdrawal or gift that was ended becomes final
 * when the chain delivered it all the same.
 */
export const transitions: Record<DeliveryState, DeliveryState[]> = {
  waiting: ['signed', 'final', 'failed', 'stopped'],
  signed: ['waiting', 'final', 'failed'],
  final: [],
  failed: [],
  stopped: [],
}

/** Whether the chain may still finish it. */
export const isFinishable = ({ kind, state }: Pick<Delivery, 'kind' | 'state'>) =>
  transitions[state].includes('final') || (kind !== 'sale' && isStopped(state))

/** True when the token certainly stays where it is. */
export const isStopped = (state: DeliveryState) => state === 'stopped' || state === 'failed'
