import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '@nifty/testkit/until'
import pg from 'pg'

const services = ['auth', 'catalog', 'payments', 'minting', 'notification']
/** A message that was parked is tried for about four minutes. */
const PATIENCE = { patience: 300_000, every: 1_000 }

type Event = { id: string; name: string; published: boolean }

/** Process number and port of the database server that a store's launcher brought. */
export async function databaseOf(folder: string) {
  const lines = (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]) }
}

/**
 * Waits until every event that a service has said was heard by each service that hears its kind; what is missing, by
 * the tables of both sides.
 */
export async function lostEvents(folder: string): Promise<{ events: number; faults: string[] }> {
  const { port } = await databaseOf(folder)
  let found = { events: 0, faults: ['nothing was read'] }
  await until(async () => {
    found = await compare(port)
    return found.faults.length === 0
  }, PATIENCE).catch(() => {})
  return found
}

async function compare(port: number) {
  const said: Event[] = []
  const heard = new Map<string, { ids: Set<string>; names: Set<string>; parked: string[] }>()
  for (const service of services) {
    const client = new pg.Client({ connectionString: `postgres://nifty:nifty@127.0.0.1:${port}/${service}` })
    await client.connect()
    try {
      said.push(...(await rows<Event>(client, 'select id, name, published_at is not null as published from outbox')))
      const inbox = await rows<{ id: string; name: string }>(client, 'select message_id as id, name from inbox')
      const parked = await rows<{ name: string; error: string }>(client, 'select name, error from parked_event')
      heard.set(service, {
        ids: new Set(inbox.map(({ id }) => id)),
        names: new Set(inbox.map(({ name }) => name)),
        parked: parked.map(({ name, error }) => `${name}: ${error}`),
      })
    } finally {
      await client.end()
    }
  }
  const faults = said.filter(({ published }) => !published).map(({ id, name }) => `${name} ${id} was never sent`)
  for (const [service, { ids, names, parked }] of heard) {
    faults.push(...parked.map((what) => `${service} has parked ${what}`))
    for (const { id, name } of said)
      if (names.has(name) && !ids.has(id)) faults.push(`${service} has not heard ${name} ${id}`)
  }
  return { events: said.length, faults }
}

const rows = async <Row extends pg.QueryResultRow>(client: pg.Client, text: string) =>
  (await client.query<Row>(text)).rows
