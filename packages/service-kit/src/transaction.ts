import type { Kysely, Transaction } from 'kysely'

const TRIES = 4

/** unique_violation, serialization_failure, deadlock_detected: somebody was faster; deciding again sees what they did. */
const decideAgain = new Set(['23505', '40001', '40P01'])

/** Runs an action in a transaction; one that lost a race decides again on what the winner left. */
export async function inTransaction<Tables, Result>(
  db: Kysely<Tables>,
  action: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(action)
    } catch (error) {
      const { code } = error as { code?: string }
      if (!code || !decideAgain.has(code) || attempt === TRIES) throw error
    }
  }
}

/** Reads several rows as they were at one moment, so that an answer never mixes before and after. */
export const inSnapshot = <Tables, Result>(
  db: Kysely<Tables>,
  read: (snapshot: Transaction<Tables>) => Promise<Result>,
): Promise<Result> => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
