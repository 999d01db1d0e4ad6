import { invalidCursor } from '@nifty/service-kit/base/errors'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'
import { isEntryOf } from './book.store.ts'

/**
 * The id of the entry that the page before ended with; undefined for the first page. Throws 400 `invalid_cursor` for an
 * entry of another account.
 */
export async function readCursor(
  db: Kysely<Database>,
  userId: string,
  after: string | undefined,
): Promise<number | undefined> {
  if (after === undefined) return undefined
  const id = Number(after)
  if (await isEntryOf(db, userId, id)) return id
  throw invalidCursor()
}
