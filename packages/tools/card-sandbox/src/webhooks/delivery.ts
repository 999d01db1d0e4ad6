import type { WebhookFault } from '../control/fault.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Delays between attempts, up to three days in all, on the sandbox's clock. */
const retryDelaysMs = [
  0.5 * second,
  second,
  2 * second,
  5 * second,
  15 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  16 * hour,
  16 * hour,
  24 * hour,
] as const

/** The pending delivery of one event. */
export type Delivery = {
  event: string
  type: string
  attempts: number
  /** Milliseconds on the sandbox's clock. */
  dueMs: number
  isInProgress: boolean
  /** Applies to the first attempt. */
  fault?: WebhookFault
}

/** The delay after this number of attempts; undefined when the delivery has failed for good. */
export const retryDelayAfter = (attempts: number): number | undefined => retryDelaysMs[attempts - 1]

/** A past attempt, as the control API shows it. */
export type Attempt = { event: string; type: string; at: string; attempt: number; status: number | string }
