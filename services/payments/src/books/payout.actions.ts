import { conflict } from '@nifty/service-kit/errors'
import type { OperatorReason } from '@nifty/service-kit/operator-audit'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

/** The unpaid balance of each account, cents. */
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

type Payment = OperatorReason & { payoutId: string; userId: string; amountCents: number }

/**
 * Marks all unpaid entries of an account as paid. Idempotent by `payoutId`. Locks the account's entries. Throws 409
 * `payout_differs` for a reused id, `amount_differs` unless the amount is the current balance.
 */
export async function payOut(trx: Transaction<Database>, { payoutId, userId, amountCents, operator, reason }: Payment) {
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
  const dueCents = entries.reduce((sum, entry) => sum + entry.amountCents, 0)
  if (dueCents !== amountCents || dueCents === 0)
    throw conflict('amount_differs', `The account is owed ${(dueCents / 100).toFixed(2)} euros now`)

  const payout = await trx
    .insertInto('payout')
    .values({ id: payoutId, userId, amountCents, operator, reason })
    .returningAll()
    .executeTakeFirstOrThrow()
  for (const { lineId, kind } of entries)
    await trx.updateTable('bookEntry').set({ payoutId }).where('lineId', '=', lineId).where('kind', '=', kind).execute()
  return payout
}
