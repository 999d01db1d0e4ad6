import { alertLimits } from '../alert-limits.ts'
import type { OpenOrders } from './ops.ts'

const DAY_MS = 86_400_000

type Open = Pick<OpenOrders['orders'][number], 'state' | 'money' | 'since' | 'holdEndsAt'>

/**
 * Whether the delivery of a paid order takes so long that the alert NiftyOrderStuck is raised. An offer in the state
 * `held` waits for the owner of its work.
 */
export const isHeldTooLong = ({ state, money, since }: Open, now = Date.now()) =>
  money === 'held' && state !== 'held' && now - Date.parse(since) > alertLimits.NiftyOrderStuck.seconds * 1_000

/** Whether the hold of the card ends within a day: what is held cannot be captured after that. */
export const isHoldEnding = ({ holdEndsAt }: Open, now = Date.now()) =>
  holdEndsAt !== null && Date.parse(holdEndsAt) < now + DAY_MS
