import { type Kysely, sql } from 'kysely'
import { ForeignResource } from '../base/resources.ts'

type Found = { database: string; tables: number; migrated: boolean; claimed: boolean }

/** Refuses a database of another store, or of another program, before anything in it is changed. */
export async function refuseForeignDatabase(db: Kysely<any>, storeId: string) {
  const { rows } = await sql<Found>`
    select current_database() as database, count(*) as tables,
      coalesce(bool_or(tablename = 'migration'), false) as migrated,
      coalesce(bool_or(tablename = 'store_identity'), false) as claimed
    from pg_tables where schemaname = 'public'`.execute(db)
  const { database, tables, migrated, claimed } = rows[0]!
  if (tables > 0 && !migrated)
    throw new ForeignResource(`The database ${database} has tables of another program`, storeId)
  if (claimed) await compare(db, storeId)
}

/** Writes the store's name into a migrated database, unless it has one. Refuses another store's. */
export async function claimDatabase(db: Kysely<any>, storeId: string) {
  if (await compare(db, storeId)) return
  await sql`insert into store_identity (store_id) values (${storeId}) on conflict do nothing`.execute(db)
  await compare(db, storeId)
}

/** True if the database has a store's name, and it is this one. */
async function compare(db: Kysely<any>, storeId: string): Promise<boolean> {
  const { rows } = await sql<{ database: string; owner: string }>`
    select current_database() as database, store_id as owner from store_identity`.execute(db)
  const found = rows[0]
  if (found && found.owner !== storeId)
    throw new ForeignResource(`The database ${found.database} belongs to the store ${found.owner}`, storeId)
  return found !== undefined
}
