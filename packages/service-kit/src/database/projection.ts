import { sql, type Transaction } from 'kysely'

/**
 * Stores a newer version of a row that another service owns and publishes as versioned events. `table` has a unique
 * column `key`, a `version` and a `deleted_at`. An older or equal version changes nothing, nor does any version after
 * the row was marked as deleted. One statement, so concurrent deliveries of two versions leave the newer one.
 *
 * Returns the row as it was before (`null` when it is new), or undefined when nothing was stored.
 */
export async function upsertNewer<Row extends { version: number }>(
  trx: Transaction<any>,
  { table, key, row }: { table: string; key: keyof Row & string; row: Partial<Row> & { version: number } },
): Promise<{ before: Row | null } | undefined> {
  const columns = Object.keys(row)
  const stored = (column: string) => sql.ref(`${table}.${column}`)
  const { rows } = await sql<Row>`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values (${sql.join(Object.values(row))})
    on conflict (${sql.ref(key)}) do update
    set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))}
    where ${stored('version')} < excluded.version and ${stored('deletedAt')} is null
    returning old.*`.execute(trx)
  const before = rows[0]
  if (!before) return undefined
  return { before: before[key] === null ? null : before }
}
