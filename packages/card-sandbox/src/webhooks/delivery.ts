import type { WebhookFault } from '../control/fault.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Pauses between tries, growing up to three days in all, in the processor's time. */
const pausesMs = [
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

/** One event on its way. */
export type Delivery = {
  event: string
  type: string
  attempts: number
  /** The processor's milliseconds. */
  dueMs: number
  isBusy: boolean
  /** A disturbance of its first try. */
  fault?: WebhookFault
}

/** How long to wait after so many tries; nothing when it is given up. */
export const pauseAfter = (attempts: number): number | undefined => pausesMs[attempts - 1]

/** What was sent and what came back, for whoever looks into it. */
export type Try = { event: string; type: string; at: string; attempt: number; status: number | string }
