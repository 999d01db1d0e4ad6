import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { testDatabaseUrl, testServerUrl } from '../testing/database.ts'
import { testLog } from '../testing/log.ts'
import { createLocalTransport } from './local-transport.ts'
import { countOf, createMessage, testTransport } from './transport.conformance.ts'
import { testTransportFaults } from './transport.faults.conformance.ts'

const database = `transport_${randomUUID().replaceAll('-', '')}`
const url = testDatabaseUrl(database)
const open = () => createLocalTransport({ url, storeId: 'test', log: testLog })

/** The server drops every connection, as it does when it is restarted. */
async function interrupt() {
  const server = new pg.Client({ connectionString: testServerUrl() })
  await server.connect()
  await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
  await server.end()
}

testTransport('local', open)
testTransportFaults('local', { open, interrupt, transport: { local: url } })

test('an old message is deleted only after every group has handled it', async () => {
  const own = testDatabaseUrl(`transport_${randomUUID().replaceAll('-', '')}`)
  const heard: number[] = []
  const listen = async () => {
    const transport = await createLocalTransport({ url: own, storeId: 'test', log: testLog })
    await transport.subscribe({
      group: 'late',
      topics: ['kit'],
      handle: async (message) => {
        heard.push(countOf(message))
      },
    })
    return transport
  }
  const before = await listen()
  await before.publish([createMessage('a', 0)])
  await vi.waitUntil(() => heard.length === 1, { timeout: 30_000 })
  await before.stop()

  const server = new pg.Client({ connectionString: own })
  await server.connect()
  const kept = async () =>
    (await server.query('select data from message order by seq')).rows.map(({ data }) => data.count)
  const away = await createLocalTransport({ url: own, storeId: 'test', log: testLog })
  await away.publish([createMessage('a', 1)])
  await away.stop()
  await server.query("update message set published_at = now() - interval '15 days'")

  // Opening the transport deletes old messages first; one that no group has handled is still delivered.
  const after = await listen()
  await vi.waitUntil(() => heard.length === 2, { timeout: 30_000 })
  await vi.waitUntil(async () => !(await kept()).includes(0), { timeout: 30_000 })
  expect(heard).toEqual([0, 1])
  await after.stop()
  await server.end()
})

test('a message that commits after a later one began is not passed over', async () => {
  const own = testDatabaseUrl(`transport_${randomUUID().replaceAll('-', '')}`)
  const transport = await createLocalTransport({ url: own, storeId: 'test', log: testLog })
  const server = new pg.Client({ connectionString: own })
  await server.connect()
  // Message 0 has its number, and its transaction waits for the lock of this connection.
  await server.query(`
    create function hold() returns trigger language plpgsql set lock_timeout = 0 as $$
    begin
      if new.data ->> 'count' = '0' then perform pg_advisory_xact_lock(1); end if;
      return null;
    end $$;
    create trigger hold after insert on message for each row execute function hold();
    select pg_advisory_lock(1)`)
  const waiting = async (count: number) => {
    const { rowCount } = await server.query(
      `select from pg_locks join pg_database on oid = database
       where datname = current_database() and locktype = 'advisory' and not granted`,
    )
    return rowCount === count
  }
  const heard: number[] = []
  await transport.subscribe({
    group: 'g',
    topics: ['kit'],
    handle: async (message) => void heard.push(countOf(message)),
  })

  const first = transport.publish([createMessage('a', 0)])
  await vi.waitUntil(() => waiting(1), { timeout: 30_000 })
  const second = transport.publish([createMessage('b', 1)])
  await vi.waitUntil(async () => heard.length > 0 || (await waiting(2)), { timeout: 30_000 })
  await server.query('select pg_advisory_unlock(1)')
  await Promise.all([first, second])
  await vi.waitUntil(() => heard.length === 2, { timeout: 30_000 })
  expect(heard).toEqual([0, 1])
  await transport.stop()
  await server.end()
})
