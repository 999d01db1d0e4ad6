import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

type Creation = Selectable<Database['cardCustomerCreation']>
type CreationKey = Pick<Creation, 'userId' | 'number'>

/** Committed before the request. The parameters of an earlier one stay. */
export async function requestCreation(
  db: Kysely<Database>,
  { userId, number, email }: Pick<Creation, 'userId' | 'number' | 'email'>,
) {
  await db
    .insertInto('cardCustomerCreation')
    .values({ userId, number, email })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const ofKey = (trx: Transaction<Database>, { userId, number }: CreationKey) =>
  trx.selectFrom('cardCustomerCreation').where('userId', '=', userId).where('number', '=', number)

/** Undefined while a worker looks it up. */
export const lockCreation = (trx: Transaction<Database>, key: CreationKey) =>
  ofKey(trx, key).selectAll().select(sql<Date>`now()`.as('now')).forUpdate().skipLocked().executeTakeFirst()

/** Its outcome is stored, or it had none. */
export async function endCreation(trx: Transaction<Database>, { userId, number }: CreationKey) {
  await trx.deleteFrom('cardCustomerCreation').where('userId', '=', userId).where('number', '=', number).execute()
}

/** Locks the one that has been due longest, without waiting for a page that repeats it. */
export const lockDueCreation = (trx: Transaction<Database>): Promise<Creation | undefined> =>
  trx
    .selectFrom('cardCustomerCreation')
    .selectAll()
    .where(sql<boolean>`due_at <= now()`)
    .orderBy('dueAt')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

export async function postponeCreation(
  trx: Transaction<Database>,
  { userId, number }: CreationKey,
  { failures, seconds }: { failures: number; seconds: number },
) {
  await trx
    .updateTable('cardCustomerCreation')
    .set({ failures, dueAt: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})` })
    .where('userId', '=', userId)
    .where('number', '=', number)
    .execute()
}
