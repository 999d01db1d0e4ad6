import { type Kysely, sql } from 'kysely'
import { type Keys, sealStored, storedPrefix, unsealStored } from '../base/secrets.ts'

/** Where texts of `sealStored` are: the column that names the owner of a row, its primary key, and that of the text. */
export type StoredSecrets = { table: string; owner: string; text: string }

const BATCH = 500

/** Texts that another value than the first one encrypted, or that a release encrypted which named no owner. */
const isFormer = ({ text }: StoredSecrets, keys: Keys) =>
  sql<boolean>`${sql.ref(text)} is not null and not starts_with(${sql.ref(text)}, ${storedPrefix(keys)})`

/** How many texts would be lost, or are, without the former values of the setting. */
export async function countFormer(db: Kysely<any>, place: StoredSecrets, keys: Keys): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(place.table)} where ${isFormer(place, keys)}`.execute(db)
  return rows[0]!.count
}

/**
 * Encrypts the texts of former values with the first one, in batches and without a lock: a text that changes meanwhile
 * stays as it is, and so does one that no value decrypts.
 */
export async function resealStored(db: Kysely<any>, place: StoredSecrets, keys: Keys): Promise<void> {
  const { table, owner, text } = place
  let last: string | undefined
  for (;;) {
    const { rows } = await sql<{ owner: string; stored: string }>`
      select ${sql.ref(owner)} as owner, ${sql.ref(text)} as stored from ${sql.table(table)}
      where ${isFormer(place, keys)} and ${last === undefined ? sql`true` : sql`${sql.ref(owner)} > ${last}`}
      order by ${sql.ref(owner)} limit ${BATCH}`.execute(db)
    for (const row of rows) {
      const plain = opened(row.stored, keys, row.owner)
      if (plain === undefined) continue
      await sql`update ${sql.table(table)} set ${sql.ref(text)} = ${sealStored(plain, keys, row.owner)}
        where ${sql.ref(owner)} = ${row.owner} and ${sql.ref(text)} = ${row.stored}`.execute(db)
    }
    if (rows.length < BATCH) return
    last = rows.at(-1)!.owner
  }
}

function opened(stored: string, keys: Keys, owner: string) {
  try {
    return unsealStored(stored, keys, owner)
  } catch {
    return undefined
  }
}
