import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { resourceName } from '@nifty/service-kit/base/resources'
import pg from 'pg'

/** A database, topic or consumer group of the campaign's store, which inherits the variables of this process. */
export const nameInStore = (name: string) => resourceName(process.env.RESOURCE_PREFIX ?? '', name)

/** Process id and port of the PostgreSQL that a store's launcher started. */
export async function databaseServerOf(folder: string) {
  const lines = (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]) }
}

export async function databaseServerUrl(folder: string) {
  const { port } = await databaseServerOf(folder)
  return `postgres://nifty:nifty@127.0.0.1:${port}/postgres`
}

/** A connection to the database of a service, for as long as `use` takes. */
export async function withDatabase<Result>(
  folder: string,
  service: string,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const url = new URL(await databaseServerUrl(folder))
  url.pathname = nameInStore(service)
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** The rows of a query in the database of a service. */
export const query = <Row extends pg.QueryResultRow>(
  folder: string,
  service: string,
  text: string,
  values?: unknown[],
) => withDatabase(folder, service, async (client) => (await client.query<Row>(text, values)).rows)

/** True if the server accepts a connection and a query. */
export async function acceptsQueries(folder: string): Promise<boolean> {
  const url = await databaseServerUrl(folder).catch(() => undefined)
  if (!url) return false
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  return client
    .connect()
    .then(() => client.query('select 1'))
    .then(
      () => true,
      () => false,
    )
    .finally(() => client.end().catch(() => {}))
}
