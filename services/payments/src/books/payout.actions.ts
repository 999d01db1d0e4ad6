import { conflict } from '@nifty/service-kit/errors'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import type { Signed } from '../ops/operator-action.store.ts'

/** What each account is owed and was not paid, cents. */
export async function duePayouts(db: Kysely<Database>) {
  const { rows } = await sql<{ userId: string; username: string | null; dueCents: number; entries: number }>`
    select user_id, sum(amount_cents)::bigint as due_cents, count(*)::int as entries,
      (select seller_username from line where seller_id = user_id and seller_username is not null
        order by id desc limit 1) as username
    from book_entry where user_id is not null and payout_id is null
    group by user_id having sum(amount_cents) > 0 order by user_id`.execute(db)
  return rows
}

export const paidPayouts = (db: Kysely<Database>) =>
  db.selectFrom('payout').selectAll().orderBy('at', 'desc').limit(1_000).execute()

export type Payment = Signed & { payoutId: string; userId: string; amountCents: number }

/** Marks all that an account is owed as paid, once. The amount must be what is owed at this moment. */
export async function payOut(trx: Transaction<Database>, { payoutId, userId, amountCents, who, why }: Payment) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 4714))`.execute(trx)
  const earlier = await trx.selectFrom('payout').selectAll().where('id', '=', payoutId).executeTakeFirst()
  if (earlier) {
    if (earlier.userId !== userId || earlier.amountCents !== amountCents)
      throw conflict('payout_differs', 'This payout id was used for something else')
    return earlier
  }
  const entries = await trx
    .selectFrom('bookEntry')
    .select(['lineId', 'kind', 'amountCents'])
    .where('userId', '=', userId)
    .where('payoutId', 'is', null)
    .forUpdate()
    .execute()
  const owed = entries.reduce((sum, entry) => sum + entry.amountCents, 0)
  if (owed !== amountCents || owed === 0)
    throw conflict('amount_differs', `The account is owed ${(owed / 100).toFixed(2)} euros now`)

  const payout = await trx
    .insertInto('payout')
    .values({ id: payoutId, userId, amountCents, who, why })
    .returningAll()
    .executeTakeFirstOrThrow()
  for (const { lineId, kind } of entries)
    await trx.updateTable('bookEntry').set({ payoutId }).where('lineId', '=', lineId).where('kind', '=', kind).execute()
  return payout
}
