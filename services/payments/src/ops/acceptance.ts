import type { BothSides, ProcessorSide } from '@nifty/api/payments/ops-money'
import type { Line, Order } from '../db.ts'
import { isAwaitingCapture, isInDelivery, isUndecided, isUnpaid } from '../orders/line.ts'
import type { Hold } from '../processor/processor.ts'
import type { ProcessorReversal } from '../processor/reversal.ts'

/**
 * What accepting the processor's side does to an order. `wait`: the outcome of a delivery, an offer or a bid is open.
 */
export type Acceptance = 'record_capture' | 'start_delivery' | 'run_steps' | 'wait' | 'none'

type Payment = Pick<Hold, 'status' | 'captureKey'>

/** What was captured before a restore may be delivered: `adoptPayment` reads the chain before it decides. */
const isOfLostTime = ({ rebuiltAt }: Pick<Order, 'rebuiltAt'>, { captureKey }: Payment) =>
  rebuiltAt !== null || captureKey !== null

export function acceptanceOf(order: Pick<Order, 'money' | 'rebuiltAt'>, lines: Line[], hold: Payment): Acceptance {
  const { money } = order
  if (hold.status === 'succeeded' && money === 'none') {
    if (!lines.some(isUnpaid)) return 'record_capture'
    return isOfLostTime(order, hold) || lines.some(({ conditional }) => conditional) ? 'wait' : 'start_delivery'
  }
  if (hold.status === 'succeeded' && money === 'held')
    return lines.some((line) => isInDelivery(line) || isUndecided(line)) ? 'wait' : 'record_capture'
  if (hold.status === 'canceled' && money === 'held') return 'run_steps'
  return 'none'
}

const sumOf = (reversals: Pick<ProcessorReversal, 'kind' | 'withdrawnCents'>[], kind: 'refund' | 'dispute') =>
  reversals.reduce((sum, one) => sum + (one.kind === kind ? one.withdrawnCents : 0), 0)

export const processorSide = (hold: Hold, reversals: ProcessorReversal[]): ProcessorSide => ({
  status: hold.status,
  heldCents: hold.amount,
  capturedCents: hold.capturedCents,
  refundedCents: sumOf(reversals, 'refund'),
  disputedCents: sumOf(reversals, 'dispute'),
})

export const isSameSide = (one: ProcessorSide, other: ProcessorSide) =>
  (Object.keys(one) as (keyof ProcessorSide)[]).every((field) => one[field] === other[field])

const euros = (cents: number) => `${(cents / 100).toFixed(2)} €`

type Sides = Pick<BothSides, 'store' | 'processor'>

/** What accepting would do, in words; nothing while the outcome of a delivery is open. */
export function effectsOf(acceptance: Acceptance, lines: Line[], { store, processor }: Sides): string[] {
  if (acceptance === 'wait') return []
  const effects: string[] = []
  const delivered = lines.filter(isAwaitingCapture).reduce((sum, { priceCents }) => sum + priceCents, 0)
  const excess = processor.capturedCents - delivered
  if (acceptance === 'record_capture') {
    effects.push(`records ${euros(processor.capturedCents)} as captured; ${euros(delivered)} were delivered`)
    if (excess < 0)
      effects.push(`has the platform bear the missing ${euros(-excess)}: sellers and creators get their whole shares`)
    if (excess > 0) effects.push(`refunds ${euros(excess)}, which were captured for lines that were not delivered`)
  }
  if (acceptance === 'start_delivery') effects.push('starts the delivery: the payment is captured already')
  if (acceptance === 'run_steps')
    effects.push(
      delivered > 0 ? `writes off ${euros(delivered)} that were delivered` : 'stops the delivery: the hold is gone',
    )
  for (const [field, what] of [
    ['refundedCents', 'refunded'],
    ['disputedCents', 'withdrawn by disputes'],
  ] as const)
    if (store[field] !== processor[field])
      effects.push(`books ${euros(processor[field])} as ${what} instead of ${euros(store[field])}`)
  return effects
}
