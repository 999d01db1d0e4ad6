import { conflict, notFound } from '@nifty/service-kit/base/errors'
import { anyOf } from '@nifty/service-kit/database/database'
import type { OperatorReason } from '@nifty/service-kit/database/operator-audit'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { accountEntries, markDuePaid, markUnpaid, unpaidSums } from './book.store.ts'
import { paidEntries } from './paid-lines.ts'
import { findPayees } from './payee.store.ts'

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

/** All payouts of an account that were not returned, cents. */
export async function paidOutCents(db: Kysely<Database>, userId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from payout where user_id = ${userId}
      and not exists (select from payout_return where payout_id = payout.id)`.execute(db)
  return rows[0]!.cents
}

export const paidPayouts = (db: Kysely<Database>) =>
  db
    .selectFrom('payout')
    .leftJoin('payoutReturn', 'payoutReturn.payoutId', 'payout.id')
    .selectAll('payout')
    .select('payoutReturn.at as returnedAt')
    .orderBy('payout.at', 'desc')
    .limit(1_000)
    .execute()

/** Serialises the payouts of one account, and their returns, until the transaction ends. */
const lockPayouts = (trx: Transaction<Database>, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 4714))`.execute(trx)

type Payment = OperatorReason & {
  payoutId: string
  userId: string
  amountCents: number
  holdMs: number
  /** What a payout paid that the database has lost; absent for all that is due now. */
  lineIds?: string[]
}

/**
 * Marks all due entries of an account, or those of the named lines, as paid. Idempotent by `payoutId`: a transaction
 * that ended before its commit has paid nothing, and is repeated as a whole. Locks the account's payouts. Throws 409
 * `payout_differs` for a reused id, `payout_returned`, `amount_differs` unless the amount is what is due now or what
 * the lines were booked with, `line_not_payable` for a line without an unpaid entry of the account.
 */
export async function payOut(trx: Transaction<Database>, payment: Payment) {
  const { payoutId, userId, amountCents, operator, reason, holdMs, lineIds } = payment
  await lockPayouts(trx, userId)
  const earlier = await trx.selectFrom('payout').selectAll().where('id', '=', payoutId).executeTakeFirst()
  if (earlier) {
    if (earlier.userId !== userId || earlier.amountCents !== amountCents)
      throw conflict('payout_differs', 'This payout id was used for something else')
    const returned = await trx
      .selectFrom('payoutReturn')
      .select('at')
      .where('payoutId', '=', payoutId)
      .executeTakeFirst()
    if (returned)
      throw conflict('payout_returned', 'The bank sent this payout back: record the new one with another id')
    return earlier
  }
  if (amountCents <= 0 || !Number.isSafeInteger(amountCents))
    throw amountDiffers((await unpaidSums(trx, { holdMs, userId }))[0]?.dueCents ?? 0)
  const payout = await trx
    .insertInto('payout')
    .values({ id: payoutId, userId, amountCents, operator, reason })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (lineIds) {
    const unpaid = await accountEntries(trx, { holdMs, userId, unpaidOnly: true, lineIds })
    const ids = paidEntries(unpaid, { lineIds, amountCents }).map(({ id }) => id)
    await trx.updateTable('bookEntry').set({ payoutId }).where('id', '=', anyOf(ids)).execute()
  } else {
    const dueCents = await markDuePaid(trx, { payoutId, userId, holdMs })
    if (dueCents !== amountCents) throw amountDiffers(dueCents)
  }
  return payout
}

const amountDiffers = (dueCents: number) =>
  conflict('amount_differs', `${(dueCents / 100).toFixed(2)} euros are due to the account now`)

/**
 * Records that the bank sent a payout back, or that it was never made: what it paid is owed again. Idempotent. Locks
 * the account's payouts. Throws 404 `payout_not_found`.
 */
export async function returnPayout(
  trx: Transaction<Database>,
  { payoutId, operator, reason }: OperatorReason & { payoutId: string },
) {
  const payout = await trx.selectFrom('payout').selectAll().where('id', '=', payoutId).executeTakeFirst()
  if (!payout) throw notFound('payout_not_found', 'No such payout')
  await lockPayouts(trx, payout.userId)
  await trx
    .insertInto('payoutReturn')
    .values({ payoutId, operator, reason })
    .onConflict((recorded) => recorded.doNothing())
    .execute()
  await markUnpaid(trx, payoutId)
  return payout
}
