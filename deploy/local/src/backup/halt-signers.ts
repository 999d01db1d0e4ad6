import { type PostgresPackage, startPostgres } from '@nifty/dev-servers/postgres'
import { databaseUrl } from '@nifty/service-kit/database/database'
import pg from 'pg'

/**
 * Halts every signer in restored databases, so that nothing is signed before payments has read the holds: an order that
 * was waiting for its signature at the time of the backup may have been cancelled since.
 */
export async function haltSigners(folder: string, postgres?: PostgresPackage) {
  const server = await startPostgres({ folder, durable: true, postgres })
  try {
    for (const { datname } of await query<{ datname: string }>(server.url, 'select datname from pg_database'))
      if (datname === 'minting' || datname.endsWith('-minting')) await query(databaseUrl(server.url, datname), halt)
  } finally {
    await server.stop()
  }
}

const halt = `update signer set halted_at = now(), halted_reason = concat_ws('; ', halted_reason,
  'the database was restored from a backup') where state <> 'retired'`

async function query<Row extends pg.QueryResultRow>(connectionString: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
