import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { isReversalOpen } from './open-reversal.ts'

export type Payee = Selectable<Database['payee']>

/**
 * Stores where to pay a deleted account, unless nothing is owed to it and none of its sales is under way or may still
 * change.
 */
export async function keepPayee(trx: Transaction<Database>, payee: Payee) {
  await trx
    .insertInto('payee')
    .values(payee)
    .onConflict((held) => held.doNothing())
    .execute()
  await erasePayees(trx, [payee.userId])
}

export async function findPayees(db: Kysely<Database>, userIds: string[]): Promise<Map<string, Payee>> {
  if (userIds.length === 0) return new Map()
  const rows = await db.selectFrom('payee').selectAll().where('userId', '=', anyOf(userIds)).execute()
  return new Map(rows.map((payee) => [payee.userId, payee]))
}

/**
 * Erases the payees among these accounts to which nothing is owed, nor after a dispute is won, a refund fails or the
 * bank returns a payout, which it does within 30 days.
 */
export async function erasePayees(db: Kysely<Database>, userIds: string[]) {
  await sql`
    delete from payee p where p.user_id = any(${userIds}::uuid[])
      and coalesce((select sum(amount_cents) from book_entry where user_id = p.user_id and payout_id is null), 0) <= 0
      and not exists (select from line where p.user_id in (seller_id, creator_id)
        and state not in ('released', 'completed', 'written_off', 'refunded', 'disputed'))
      and not exists (select from line join reversal using (order_id) where p.user_id in (seller_id, creator_id)
        and ${isReversalOpen})
      and not exists (select from payout where user_id = p.user_id and at > now() - interval '30 days'
        and not exists (select from payout_return where payout_id = payout.id))`.execute(db)
}

/** Erases every payee to whom nothing can be owed any more: no event tells when a refund or a payout is safe. */
export async function eraseSettledPayees(db: Kysely<Database>) {
  const payees = await db.selectFrom('payee').select('userId').execute()
  await erasePayees(
    db,
    payees.map(({ userId }) => userId),
  )
}
