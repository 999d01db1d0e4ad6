import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { copyTree } from './contents.ts'

/** What a base backup leaves out: files of this run of the server, or recreated at its next start. */
const excluded =
  /^(postmaster\.(pid|opts)|pg_(wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)\/.*|.*pgsql_tmp.*)$/
const segment = /^[0-9A-F]{24}$/

/**
 * Copies all databases of a running PostgreSQL at one point in time: the steps of its manual for a base backup with the
 * low-level API, because the npm package has no `pg_basebackup`. Returns the server's major version.
 */
export async function copyDatabases({ url, from, to }: { url: string; from: string; to: string }): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // A temporary slot keeps the WAL segments that the backup needs.
    await client.query(`select pg_create_physical_replication_slot('nifty_backup_${process.pid}', true, true)`)
    const started = await client.query<{ segment: string }>(
      `select pg_walfile_name(pg_backup_start('nifty', fast => true)) as segment`,
    )
    await copyTree(from, to, (path) => !excluded.test(path))
    const stopped = await client.query<{ segment: string; label: string }>(
      `select pg_walfile_name(lsn) as segment, labelfile as label from pg_backup_stop(wait_for_archive => false)`,
    )
    const [first, last] = [started.rows[0]!.segment, stopped.rows[0]!.segment]
    await copyTree(
      join(from, 'pg_wal'),
      join(to, 'pg_wal'),
      (name) => segment.test(name) && name >= first && name <= last,
    )
    await writeFile(join(to, 'backup_label'), stopped.rows[0]!.label)
  } finally {
    await client.end()
  }
  return majorOf(to)
}

/**
 * The same of a server of the operator's own, by its `pg_basebackup`; the role needs REPLICATION. The password is no
 * argument, which other users of the machine could read.
 */
export async function copyFromServer(url: string, to: string): Promise<number> {
  const server = new URL(url)
  const PGPASSWORD = decodeURIComponent(server.password)
  server.password = ''
  const options = ['--pgdata', to, '--format', 'plain', '--wal-method', 'fetch', '--checkpoint', 'fast']
  const env = { ...process.env, ...(PGPASSWORD && { PGPASSWORD }) }
  await promisify(execFile)('pg_basebackup', ['--dbname', server.href, ...options], { env }).catch(
    (error: NodeJS.ErrnoException & { stderr?: string }) => {
      if (error.code === 'ENOENT') throw new Error('pg_basebackup is missing: install the tools of your PostgreSQL.')
      if (/No space left/.test(error.stderr ?? '')) throw Object.assign(error, { code: 'ENOSPC' })
      throw new Error(`pg_basebackup: ${error.stderr?.trim()}`)
    },
  )
  return majorOf(to)
}

const majorOf = async (folder: string) => Number((await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim())
