import type { Kysely, Transaction } from 'kysely'
import { SERIALIZATION_FAILURE } from './prepared-statements.ts'

const MAX_ATTEMPTS = 4

/** unique_violation, serialization_failure, deadlock_detected: a retry sees the other transaction's changes. */
const retryable = new Set(['23505', SERIALIZATION_FAILURE, '40P01'])

/** Runs an action in a transaction, up to four times if it loses a race or a migration changed a prepared statement. */
export async function inTransaction<Tables, Result>(
  db: Kysely<Tables>,
  action: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(action)
    } catch (error) {
      const { code } = error as { code?: string }
      if (!code || !retryable.has(code) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/**
 * Runs queries on one snapshot (repeatable read, read only), so that a response does not mix two states. Repeated once
 * if a migration changed a prepared statement.
 */
export function inSnapshot<Tables, Result>(
  db: Kysely<Tables>,
  read: (snapshot: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const run = () => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
  return run().catch((error) => {
    if (error.code === SERIALIZATION_FAILURE) return run()
    throw error
  })
}
