import { sha256 } from '@nifty/service-kit/base/secrets'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

export type CardCustomer = Selectable<Database['cardCustomer']>

/**
 * Locks the row of an account, which the first page inserts: two first pages of an account follow each other. Locked
 * after the order, and before the creation of a Customer. Another digest is erased, and committed, before the update of
 * the address, whose response may be lost; one that a page stores while this one waits for the lock stays.
 */
export async function lockCustomer(
  { db, trx }: { db: Kysely<Database>; trx: Transaction<Database> },
  { userId, email }: { userId: string; email: string | null },
): Promise<CardCustomer> {
  const row = trx.selectFrom('cardCustomer').selectAll().where('userId', '=', userId)
  const stored = await row.executeTakeFirst()
  if (!stored)
    await trx
      .insertInto('cardCustomer')
      .values({ userId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else if (stored.customerId !== null && stored.emailDigest !== null && !hasAddress(stored, email))
    await db
      .updateTable('cardCustomer')
      .set({ emailDigest: null })
      .where('userId', '=', userId)
      .where('emailDigest', '=', stored.emailDigest)
      .execute()
  return row.forUpdate().executeTakeFirstOrThrow()
}

/** Locks the row of an account that has this Customer. */
export const lockMissing = (
  trx: Transaction<Database>,
  { userId, customerId }: { userId: string; customerId: string },
): Promise<CardCustomer | undefined> =>
  trx
    .selectFrom('cardCustomer')
    .selectAll()
    .where('userId', '=', userId)
    .where('customerId', '=', customerId)
    .forUpdate()
    .executeTakeFirst()

/** Of one Customer: a former release that replaces it does not know the digest. */
const digestOf = (customerId: string | null, email: string) => sha256(`${customerId} ${email}`)

/** False also without an address, when the buyer may have typed one on an earlier page. */
export const hasAddress = (
  { customerId, emailDigest }: Pick<CardCustomer, 'customerId' | 'emailDigest'>,
  email: string | null,
): boolean => email !== null && emailDigest === digestOf(customerId, email)

export async function saveAddress(
  trx: Transaction<Database>,
  { userId, customerId, email }: { userId: string; customerId: string; email: string | null },
) {
  const emailDigest = email === null ? null : digestOf(customerId, email)
  await trx.updateTable('cardCustomer').set({ emailDigest }).where('userId', '=', userId).execute()
}

export async function saveCustomer(
  trx: Transaction<Database>,
  userId: string,
  { customerId, number }: Pick<CardCustomer, 'customerId' | 'number'>,
) {
  await trx
    .updateTable('cardCustomer')
    .set({ customerId, number, since: sql<Date>`now()` })
    .where('userId', '=', userId)
    .execute()
}

/**
 * A payment with the Customer that is not over: its page is open, or its card is held. It is not known that the
 * processor captures a hold whose Customer is deleted. A rebuilt order has no parameters.
 */
const isNeeded = sql<boolean>`exists (
  select from orders
  where buyer_id = card_customer.user_id
    and (session_request is null or session_request->>'customer' = card_customer.customer_id)
    and (money = 'held'
      or exists (select from line where order_id = orders.id and state in ('placed', 'awaiting_payment'))))`

export const findCustomer = (
  db: Kysely<Database>,
  userId: string,
): Promise<(CardCustomer & { isNeeded: boolean }) | undefined> =>
  db
    .selectFrom('cardCustomer')
    .selectAll()
    .select(isNeeded.as('isNeeded'))
    .where('userId', '=', userId)
    .executeTakeFirst()

/** Requests the deletion of the Customer. Idempotent. */
export async function requestForgetting(db: Kysely<Database>, userId: string) {
  await db
    .updateTable('cardCustomer')
    .set({ forgetRequestedAt: sql`coalesce(forget_requested_at, now())`, dueAt: sql<Date>`now()` })
    .where('userId', '=', userId)
    .where('customerId', 'is not', null)
    .execute()
}

/**
 * Stores a Customer whose id was never stored here, and requests its deletion, unless the account has one. Returns the
 * Customer of the account.
 */
export async function requestForgettingOfLost(
  trx: Transaction<Database>,
  { userId, customerId, number }: { userId: string; customerId: string; number: number },
): Promise<string | null> {
  // Without a row the first page was never opened, or the account was deleted: none is needed afterwards.
  await sql`
    insert into card_customer (user_id, customer_id, number, forget_requested_at, account_deleted)
    values (${userId}, ${customerId}, ${number}, now(), true)
    on conflict (user_id) do update
    set customer_id = excluded.customer_id, number = excluded.number, forget_requested_at = now(), due_at = now()
    where card_customer.customer_id is null`.execute(trx)
  const row = trx.selectFrom('cardCustomer').select('customerId').where('userId', '=', userId)
  return (await row.executeTakeFirstOrThrow()).customerId
}

/** Of a deleted account: nothing of it stays. */
export async function requestRemoval(trx: Transaction<Database>, userId: string) {
  await trx.deleteFrom('cardCustomer').where('userId', '=', userId).where('customerId', 'is', null).execute()
  await requestForgetting(trx, userId)
  await trx.updateTable('cardCustomer').set({ accountDeleted: true }).where('userId', '=', userId).execute()
}

const due = (db: Kysely<Database>) =>
  db.selectFrom('cardCustomer').where('forgetRequestedAt', 'is not', null).where(sql<boolean>`due_at <= now()`)

/** Whether a deletion is due, or the look-up of a lost creation. */
export async function isCardWorkDue(db: Kysely<Database>): Promise<boolean> {
  const lost = db.selectFrom('cardCustomerCreation').select('userId').where(sql<boolean>`due_at <= now()`)
  return (await due(db).select('userId').unionAll(lost).limit(1).executeTakeFirst()) !== undefined
}

/** Locks the row that has been due longest, without waiting for other workers; or that of an account. */
export const lockDueForgetting = (
  trx: Transaction<Database>,
  userId?: string,
): Promise<(CardCustomer & { isNeeded: boolean }) | undefined> =>
  due(trx)
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId!))
    .selectAll()
    .select(isNeeded.as('isNeeded'))
    .orderBy('dueAt')
    .limit(1)
    .forUpdate()
    .$if(userId === undefined, (query) => query.skipLocked())
    .executeTakeFirst()

/** The Customer is deleted. The next page has another one. */
export async function saveForgotten(trx: Transaction<Database>, { userId, accountDeleted, number }: CardCustomer) {
  if (accountDeleted) {
    await trx.deleteFrom('cardCustomer').where('userId', '=', userId).execute()
    return
  }
  await trx
    .updateTable('cardCustomer')
    .set({ customerId: null, number: number + 1, since: sql<Date>`now()`, forgetRequestedAt: null, failures: 0 })
    .where('userId', '=', userId)
    .execute()
}

export async function postponeForgetting(
  trx: Transaction<Database>,
  userId: string,
  { failures, seconds }: { failures: number; seconds: number },
) {
  await trx
    .updateTable('cardCustomer')
    .set({ failures, dueAt: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})` })
    .where('userId', '=', userId)
    .execute()
}

/** `since`: the creation of the session that has the Customer. */
type RestoredCustomer = { userId: string; customerId: string; since: Date }

/** Stores the Customer of a session that a restored database does not have, unless it has a later one. */
export async function restoreCustomer(db: Kysely<Database>, { userId, customerId, since }: RestoredCustomer) {
  await sql`
    insert into card_customer (user_id, customer_id, since)
    select ${userId}, ${customerId}, ${since}
    where not exists (select from card_customer where customer_id = ${customerId})
    on conflict (user_id) do update set customer_id = excluded.customer_id, since = excluded.since
    where card_customer.since < excluded.since and card_customer.forget_requested_at is null`.execute(db)
}
