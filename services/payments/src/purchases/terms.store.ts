import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'

/** Stores the current version of the terms, whose first day is today if it is new. */
export async function saveTermsVersion(db: Kysely<Database>, version: string) {
  await db
    .insertInto('termsVersion')
    .values({ version })
    .onConflict((known) => known.doNothing())
    .execute()
}

/** A page that was opened before a change of the terms names the version before. */
export async function wasInForce(db: Kysely<Database>, version: string): Promise<boolean> {
  const found = await db.selectFrom('termsVersion').select('version').where('version', '=', version).executeTakeFirst()
  return found !== undefined
}
