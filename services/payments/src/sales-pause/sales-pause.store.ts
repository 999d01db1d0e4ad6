import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

type Pause = Selectable<Database['salesPause']>

/** The pause that is not over; undefined while orders can be started. */
export const findPause = (db: Kysely<Database>): Promise<Pause | undefined> =>
  db.selectFrom('salesPause').selectAll().where('until', '>', sql<Date>`now()`).executeTakeFirst()

/** Pauses sales for so many minutes from now on, in place of a present pause; 0 ends it. */
export async function savePause(
  trx: Transaction<Database>,
  { minutes, operator, reason }: { minutes: number; operator: string; reason: string },
) {
  const row = { until: sql<Date>`now() + make_interval(mins => ${minutes})`, operator, reason, at: sql<Date>`now()` }
  await trx
    .insertInto('salesPause')
    .values(row)
    .onConflict((pause) => pause.column('id').doUpdateSet(row))
    .execute()
}
