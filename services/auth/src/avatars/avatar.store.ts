import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

export const insertAvatarFile = (trx: Transaction<Database>, file: { name: string; accountId: string }) =>
  trx.insertInto('avatarFile').values(file).execute()

export const deleteAvatarFile = (db: Kysely<Database>, name: string) =>
  db.deleteFrom('avatarFile').where('name', '=', name).execute()

/** Files that no account refers to, older than any upload in progress. */
export async function findOrphanedFiles(db: Kysely<Database>) {
  const { rows } = await sql<{ name: string }>`
    select name from avatar_file f
    where created_at < now() - interval '1 hour'
      and not exists (select from account a where a.id = f.account_id and a.avatar = f.name)
    limit 100`.execute(db)
  return rows.map(({ name }) => name)
}
