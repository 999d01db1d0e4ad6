import { invalid } from '@nifty/service-kit/base/errors'
import { type Selectable, sql } from 'kysely'
import type { Acknowledged } from '../db.ts'

/** As `isAcknowledged`, of a row of the table `alarm` or `reconciliation_difference`. */
export const isAcknowledgedRow = sql<boolean>`
  (acknowledged_at is not null and coalesce(acknowledged_until > now(), true))`

type Acknowledgement = Selectable<Acknowledged>

export const isAcknowledged = ({ acknowledgedAt, acknowledgedUntil }: Acknowledgement) =>
  acknowledgedAt !== null && (acknowledgedUntil === null || acknowledgedUntil.getTime() > Date.now())

/** Who acknowledges an alarm or a difference, why, and until when; null: until it changes. */
export type NewAcknowledgement = { operator: string; reason: string; until: Date | null }

/** The columns of a new acknowledgement. */
export const acknowledgedBy = ({ operator, reason, until }: NewAcknowledgement) => ({
  acknowledgedAt: sql<Date>`now()`,
  acknowledgedBy: operator,
  acknowledgedReason: reason,
  acknowledgedUntil: until,
})

/** Whether a request to acknowledge this row until then changes nothing. */
export const isRepeated = (row: Acknowledgement, until: Date | null) =>
  isAcknowledged(row) && (row.acknowledgedUntil?.getTime() ?? null) === (until?.getTime() ?? null)

/** Throws 400 `invalid_until` for a time that is not in the future; null when absent. */
export function readUntil(text: string | undefined): Date | null {
  if (text === undefined) return null
  const until = new Date(text)
  if (until.getTime() > Date.now()) return until
  const msg = 'The end has to be in the future'
  throw invalid('invalid_until', msg, { errors: [{ msg, path: 'until' }] })
}

/** Who acknowledged an alarm or a difference, when, why and until when; null when it is not acknowledged. */
export const viewAcknowledgement = (row: Acknowledgement) =>
  isAcknowledged(row)
    ? {
        by: row.acknowledgedBy!,
        reason: row.acknowledgedReason!,
        at: row.acknowledgedAt!.toISOString(),
        until: row.acknowledgedUntil?.toISOString() ?? null,
      }
    : null
