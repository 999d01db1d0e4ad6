import type { Kysely, Selectable, Transaction } from 'kysely'
import { acknowledgedBy, isAcknowledgedRow, type NewAcknowledgement } from '../alarms/acknowledgement.ts'
import type { Database } from '../db.ts'
import type { DifferenceKind } from './reconciliation.ts'

type DifferenceRow = Selectable<Database['reconciliationDifference']>

/** Open differences, acknowledged ones or the others, at most `limit`, and how many there are. */
export async function listDifferences(
  db: Kysely<Database>,
  { isAcknowledged, limit }: { isAcknowledged: boolean; limit: number },
): Promise<{ differences: DifferenceRow[]; count: number }> {
  const query = db
    .selectFrom('reconciliationDifference')
    .where((eb) => (isAcknowledged ? isAcknowledgedRow : eb.not(isAcknowledgedRow)))
  const differences = await query.selectAll().orderBy('kind').orderBy('subject').limit(limit).execute()
  const { count } = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { differences, count }
}

export const findDifference = (db: Kysely<Database>, kind: DifferenceKind, subject: string) =>
  db
    .selectFrom('reconciliationDifference')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .executeTakeFirst()

export const lockDifference = (trx: Transaction<Database>, kind: DifferenceKind, subject: string) =>
  trx
    .selectFrom('reconciliationDifference')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .forUpdate()
    .executeTakeFirst()

/** Until its detail changes, or its end, the difference is listed and does not count. */
export async function storeAcknowledgement(
  trx: Transaction<Database>,
  { kind, subject, ...acknowledgement }: { kind: DifferenceKind; subject: string } & NewAcknowledgement,
) {
  await trx
    .updateTable('reconciliationDifference')
    .set(acknowledgedBy(acknowledgement))
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .execute()
}

export const viewDifference = ({ kind, subject, orderId, intentId, detail, foundAt }: DifferenceRow) => ({
  kind,
  subject,
  orderId,
  intentId,
  detail,
  foundAt: foundAt.toISOString(),
})
