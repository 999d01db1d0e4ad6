import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'

export type Signed = { who: string; why: string }

/** Keeps who did what, and why. */
export async function recordAction(db: Kysely<Database>, action: string, subject: string, { who, why }: Signed) {
  await db.insertInto('operatorAction').values({ action, subject, who, why }).execute()
}
