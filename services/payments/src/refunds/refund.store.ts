import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

export type Refund = Selectable<Database['refund']>

export const findRefund = (db: Kysely<Database>, lineId: string): Promise<Refund | undefined> =>
  db.selectFrom('refund').selectAll().where('lineId', '=', lineId).executeTakeFirst()

/** Stores a request, or the next attempt after one that failed. */
export const insertRefund = (
  trx: Transaction<Database>,
  { id, lineId, amountCents }: Pick<Refund, 'id' | 'lineId' | 'amountCents'>,
): Promise<Refund> => {
  const request = {
    amountCents,
    state: 'requested' as const,
    error: null,
    processorId: null,
    resolvedAt: null,
    failures: 0,
  }
  return trx
    .insertInto('refund')
    .values({ id, lineId, ...request })
    .onConflict((held) =>
      held
        .column('lineId')
        .doUpdateSet({ ...request, requestedAt: sql`now()`, dueAt: sql`now()`, attempt: sql`refund.attempt + 1` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const saveRefund = (
  trx: Transaction<Database>,
  id: string,
  changes: Partial<Pick<Refund, 'state' | 'processorId' | 'error' | 'resolvedAt'>>,
): Promise<Refund> =>
  trx.updateTable('refund').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** The request that has been due longest. */
export const dueRefund = (db: Kysely<Database>): Promise<Pick<Refund, 'lineId'> | undefined> =>
  db
    .selectFrom('refund')
    .select('lineId')
    .where('state', '=', 'requested')
    .where('dueAt', '<=', sql<Date>`now()`)
    .orderBy('dueAt')
    .limit(1)
    .executeTakeFirst()

/** Postpones a request that is still open, by 2 s after the first time and doubling up to 10 min. */
export async function postponeRefund(db: Kysely<Database>, lineId: string) {
  await db
    .updateTable('refund')
    .set({
      failures: sql`failures + 1`,
      dueAt: sql<Date>`clock_timestamp() + make_interval(secs => least(power(2, least(failures + 1, 10)), 600))`,
    })
    .where('lineId', '=', lineId)
    .where('state', '=', 'requested')
    .execute()
}
