import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'

/** Lists an owner of works among the creators. Takes the last row lock of a transaction, which rules out deadlocks. */
export const addCreator = (trx: Transaction<Database>, userId: string) =>
  trx
    .insertInto('creator')
    .values({ userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Adds one. Takes the last row lock of a transaction, which rules out deadlocks. */
export async function incrementCreatorCount(trx: Transaction<Database>, userId: string, count: 'works' | 'sales') {
  await trx
    .insertInto('creator')
    .values({ userId, [count]: 1 })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet((eb) => ({ [count]: eb(`creator.${count}`, '+', 1) })),
    )
    .execute()
}
