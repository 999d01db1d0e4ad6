import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

type Table = { name: string; columns: string[]; types: string }

/** The sum of hashes of all rows: the same on both servers where the rows are. */
type Contents = { rows: string; hash: string | null }

/**
 * Replaces the rows of a database by those of another server's with the same tables, through files that both servers
 * can use, and compares them. Triggers and foreign keys do not act meanwhile. Returns the number of rows. Throws where
 * tables, or rows after the copy, are not the same.
 */
export async function copyRows(from: pg.Client, to: pg.Client, files: string): Promise<number> {
  const [tables, there] = [await tablesOf(from), await tablesOf(to)]
  const differing = [...new Set([...tables, ...there].map(({ name }) => name))].filter(
    (name) => tables.find((each) => each.name === name)?.types !== there.find((each) => each.name === name)?.types,
  )
  if (differing.length > 0) throw new Error(`These tables differ between both versions: ${differing.join(', ')}`)
  if (tables.length === 0) return 0
  await to.query('set session_replication_role = replica')
  await to.query(`truncate ${tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')}`)
  let copied = 0
  for (const { name, columns } of tables) {
    const table = pg.escapeIdentifier(name)
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
    const file = pg.escapeLiteral(join(files, name))
    await from.query(`copy ${table} (${list}) to ${file}`)
    await to.query(`copy ${table} (${list}) from ${file}`)
    await rm(join(files, name))
    const [before, after] = [await contentsOf(from, table, list), await contentsOf(to, table, list)]
    if (before.rows !== after.rows || before.hash !== after.hash)
      throw new Error(`${name} has ${after.rows} rows after the copy, not the ${before.rows} of before`)
    copied += Number(before.rows)
  }
  await copySequences(from, to)
  await to.query('analyze')
  return copied
}

async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname as name,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
      string_agg(format('%s %s %s', a.attname, format_type(a.atttypid, a.atttypmod), a.attgenerated), ', ' order by a.attname) as types
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    group by c.relname order by c.relname`)
  return rows
}

async function contentsOf(client: pg.Client, table: string, list: string): Promise<Contents> {
  const { rows } = await client.query<Contents>(
    `select count(*) as rows, sum(hashtextextended(row(${list})::text, 0))::text as hash from ${table}`,
  )
  return rows[0]!
}

async function copySequences(from: pg.Client, to: pg.Client) {
  const { rows } = await from.query<{ name: string; value: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value as value
    from pg_sequences where last_value is not null`,
  )
  for (const { name, value } of rows) await to.query('select setval($1::regclass, $2)', [name, value])
}
