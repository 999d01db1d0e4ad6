import type { Selectable } from 'kysely'
import type { Acknowledged } from '../db.ts'

/** Who acknowledged an alarm or a difference, when and why; null when nobody did. */
export const viewAcknowledgement = ({ acknowledgedAt, acknowledgedBy, acknowledgedReason }: Selectable<Acknowledged>) =>
  acknowledgedAt && { by: acknowledgedBy!, reason: acknowledgedReason!, at: acknowledgedAt.toISOString() }
