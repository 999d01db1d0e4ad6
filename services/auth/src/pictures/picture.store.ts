import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import type { PictureKind } from './picture.ts'

const tables = { avatar: 'avatarFile', cover: 'coverFile' } as const

export const insertPictureFile = (
  trx: Transaction<Database>,
  kind: PictureKind,
  file: { name: string; accountId: string },
) => trx.insertInto(tables[kind]).values(file).execute()

export const deletePictureFile = (db: Kysely<Database>, kind: PictureKind, name: string) =>
  db.deleteFrom(tables[kind]).where('name', '=', name).execute()

/** Files that no account refers to, older than any upload in progress. */
export async function findOrphanedFiles(db: Kysely<Database>, kind: PictureKind) {
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(tables[kind])} f
    where created_at < now() - interval '1 hour'
      and not exists (select from account a where a.id = f.account_id and ${sql.ref(`a.${kind}`)} = f.name)
    limit 100`.execute(db)
  return rows.map(({ name }) => name)
}
