import type { Terms } from '@nifty/content/terms'
import { invalid } from '@nifty/service-kit/base/errors'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

/**
 * Stores the current version of the terms, whose first day is today if it is new. It replaces the one before. Returns
 * the text with which it was stored first.
 */
export async function saveTermsVersion(db: Kysely<Database>, { version, effectiveDay, text }: Terms) {
  const stored = await db
    .insertInto('termsVersion')
    .values({ version, replacedAt: null, effectiveDay, text })
    .onConflict((known) =>
      known.column('version').doUpdateSet({
        replacedAt: null,
        effectiveDay: sql`coalesce(terms_version.effective_day, excluded.effective_day)`,
        text: sql`coalesce(terms_version.text, excluded.text)`,
      }),
    )
    .returning('text')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('termsVersion')
    .set({ replacedAt: sql<Date>`now()` })
    .where('version', '<>', version)
    .where('replacedAt', 'is', null)
    .execute()
  return stored
}

/** A page that was opened before a change of the terms names the version before, for two days. */
async function isInForce(db: Kysely<Database>, version: string): Promise<boolean> {
  const found = await db
    .selectFrom('termsVersion')
    .select('version')
    .where('version', '=', version)
    .where(sql<boolean>`coalesce(replaced_at > now() - interval '2 days', true)`)
    .executeTakeFirst()
  return found !== undefined
}

/** Throws 400 `invalid_terms` for another version than the current one, or one that was replaced days ago. */
export async function assertTermsInForce(
  db: Kysely<Database>,
  { termsVersion, current }: { termsVersion: string | undefined; current: string },
) {
  if (termsVersion !== undefined && termsVersion !== current && !(await isInForce(db, termsVersion)))
    throw invalid('invalid_terms', 'The terms have changed: please read and accept them once more')
}

/** A version with its first day (ISO 8601) and its text, which is null for versions from before texts were stored. */
export async function findTerms(db: Kysely<Database>, version: string) {
  const { rows } = await sql<{ version: string; firstDay: string; text: string | null }>`
    select version, coalesce(effective_day, first_day)::text as first_day, text from terms_version
    where version = ${version}`.execute(db)
  return rows[0] ?? null
}
