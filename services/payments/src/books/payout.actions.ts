import { conflict } from '@nifty/service-kit/base/errors'
import { anyOf } from '@nifty/service-kit/database/database'
import type { OperatorReason } from '@nifty/service-kit/database/operator-audit'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { type AccountEntry, accountEntries, unpaidSums } from './book.store.ts'
import { paidEntries } from './paid-lines.ts'
import { erasePayees, findPayees } from './payee.store.ts'

/** What each account is owed that was not paid out, cents. Accounts with nothing left are not listed. */
export async function owedAccounts(db: Kysely<Database>, { holdMs }: { holdMs: number }) {
  const accounts = await unpaidSums(db, { holdMs })
  const userIds = accounts.map(({ userId }) => userId)
  const names = await sellerNames(db, userIds)
  const payees = await findPayees(db, userIds)
  return accounts
    .filter(({ dueCents, waitingCents, heldBackCents }) => dueCents !== 0 || waitingCents !== 0 || heldBackCents !== 0)
    .map((account) => {
      /** Only of a deleted account. */
      const payee = payees.get(account.userId) ?? null
      return { ...account, username: names.get(account.userId) ?? payee?.username ?? null, payee }
    })
}

async function sellerNames(db: Kysely<Database>, userIds: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ sellerId: string; username: string }>`
    select seller_id, username from unnest(${userIds}::uuid[]) seller_id, lateral (
      select seller_username as username from line
      where line.seller_id = seller_id.seller_id and seller_username is not null limit 1)`.execute(db)
  return new Map(rows.map(({ sellerId, username }) => [sellerId, username]))
}

/** All payouts of an account, cents. */
export async function paidOutCents(db: Kysely<Database>, userId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from payout where user_id = ${userId}`.execute(db)
  return rows[0]!.cents
}

export const paidPayouts = (db: Kysely<Database>) =>
  db.selectFrom('payout').selectAll().orderBy('at', 'desc').limit(1_000).execute()

type Payment = OperatorReason & {
  payoutId: string
  userId: string
  amountCents: number
  holdMs: number
  /** What a payout paid that the database has lost; absent for all that is due now. */
  lineIds?: string[]
}

/**
 * Marks all due entries of an account, or those of the named lines, as paid. Idempotent by `payoutId`. Locks the
 * account's payouts and unpaid entries. Throws 409 `payout_differs` for a reused id, `amount_differs` unless the amount
 * is what is due now or what the lines were booked with, `line_not_payable` for a line without an unpaid entry of the
 * account.
 */
export async function payOut(trx: Transaction<Database>, payment: Payment) {
  const { payoutId, userId, amountCents, operator, reason, holdMs, lineIds } = payment
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 4714))`.execute(trx)
  const earlier = await trx.selectFrom('payout').selectAll().where('id', '=', payoutId).executeTakeFirst()
  if (earlier) {
    if (earlier.userId !== userId || earlier.amountCents !== amountCents)
      throw conflict('payout_differs', 'This payout id was used for something else')
    return earlier
  }
  await trx
    .selectFrom('bookEntry')
    .select('id')
    .where('userId', '=', userId)
    .where('payoutId', 'is', null)
    .forUpdate()
    .execute()
  const unpaid = await accountEntries(trx, { holdMs, userId, unpaidOnly: true })
  const paid = lineIds ? paidEntries(unpaid, { lineIds, amountCents }) : dueEntries(unpaid, amountCents)

  const payout = await trx
    .insertInto('payout')
    .values({ id: payoutId, userId, amountCents, operator, reason })
    .returningAll()
    .executeTakeFirstOrThrow()
  const ids = paid.map(({ id }) => id)
  await trx.updateTable('bookEntry').set({ payoutId }).where('id', '=', anyOf(ids)).execute()
  await erasePayees(trx, [userId])
  return payout
}

function dueEntries(unpaid: AccountEntry[], amountCents: number): AccountEntry[] {
  const due = unpaid.filter(({ status }) => status === 'due')
  const dueCents = due.reduce((sum, entry) => sum + entry.amountCents, 0)
  if (dueCents !== amountCents || dueCents <= 0)
    throw conflict('amount_differs', `${(dueCents / 100).toFixed(2)} euros are due to the account now`)
  return due
}
