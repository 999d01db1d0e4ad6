import type { Line } from '../db.ts'
import { isOwed } from '../orders/line.ts'

/** Cents of what was delivered and not yet taken. */
export const captureSum = (lines: Pick<Line, 'state' | 'priceCents'>[]): number =>
  lines.filter(isOwed).reduce((sum, { priceCents }) => sum + priceCents, 0)

/** One capture has one key; a try after a stored refusal has the next. */
export const captureKey = (orderId: string, attempt: number) =>
  attempt === 1 ? `capture:${orderId}` : `capture:${orderId}:${attempt}`

const HOUR_MS = 3_600_000

/** Later each time, at least once an hour: a hold lives for a week. */
export const retryCaptureIn = (pollMs: number, attempt: number) =>
  Math.min(pollMs * 2 ** Math.min(attempt, 20), HOUR_MS)
