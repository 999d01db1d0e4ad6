import type { Order } from '../db.ts'
import type { Hold } from '../processor/processor.ts'

/** Cents. Held = captured + released + in flight. */
export type Sums = { heldCents: number; capturedCents: number; releasedCents: number; inFlightCents: number }

export type Difference = { orderId: string | null; intentId: string | null; what: string }

type Money = Pick<Order, 'money' | 'heldCents' | 'capturedCents'>

export const nothing: Sums = { heldCents: 0, capturedCents: 0, releasedCents: 0, inFlightCents: 0 }

/** Sums of an order's hold as stored here. */
export function ourSums({ money, heldCents, capturedCents }: Money): Sums {
  const inFlightCents = money === 'held' ? heldCents : 0
  return { heldCents, capturedCents, inFlightCents, releasedCents: heldCents - capturedCents - inFlightCents }
}

/** Sums of a hold at the processor; all 0 for an intent that was never authorised. */
export function processorSums({ status, amount, capturedCents }: Hold, wasHeld: boolean): Sums {
  if (status === 'requires_capture') return { ...nothing, heldCents: amount, inFlightCents: amount }
  if (status === 'succeeded')
    return { ...nothing, heldCents: amount, capturedCents, releasedCents: amount - capturedCents }
  return status === 'canceled' && wasHeld ? { ...nothing, heldCents: amount, releasedCents: amount } : nothing
}

export const add = (a: Sums, b: Sums): Sums => ({
  heldCents: a.heldCents + b.heldCents,
  capturedCents: a.capturedCents + b.capturedCents,
  releasedCents: a.releasedCents + b.releasedCents,
  inFlightCents: a.inFlightCents + b.inFlightCents,
})

export const isSame = (a: Sums, b: Sums) =>
  a.heldCents === b.heldCents &&
  a.capturedCents === b.capturedCents &&
  a.releasedCents === b.releasedCents &&
  a.inFlightCents === b.inFlightCents

export const formatSums = ({ heldCents, capturedCents, releasedCents, inFlightCents }: Sums) =>
  `held ${heldCents}, captured ${capturedCents}, released ${releasedCents}, in flight ${inFlightCents}`
