import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { endpoint } from '@nifty/api/endpoint'
import { defineEvent } from '@nifty/events/define-event'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { afterAll, expect, test, vi } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { createApp } from '../http/app.ts'
import { createInternalApp } from '../http/internal.ts'
import { registerRoute } from '../http/routes.ts'
import { on } from '../messaging/inbox.ts'
import { createLocalTransport } from '../messaging/local-transport.ts'
import { publishEvent } from '../messaging/outbox.ts'
import { prepareDatabase, runService } from '../service/service.ts'
import { createTestDatabase, testDatabaseUrl } from '../testing/database.ts'
import { messageOf } from '../testing/events.ts'
import { testLog } from '../testing/log.ts'
import { testAdmitted, testCredential, testKeys } from '../testing/peers.ts'
import { conflict, unavailable } from './errors.ts'
import { type Collector, collector } from './metrics.ts'

const refused = (path: string, access: 'public' | 'service') =>
  endpoint({
    method: 'GET',
    path,
    access,
    callers: ['payments'],
    params: Type.Object({ status: Type.String(), code: Type.String() }),
  })
const refuse = async ({ params }: { params: { status: string; code: string } }) => {
  throw params.status === '503' ? unavailable(params.code, 'Not now') : conflict(params.code, 'Never')
}
const happened = defineEvent({ name: 'kit.happened.v1', key: 'id', data: Type.Object({ id: Type.String() }) })
const PATIENCE = { timeout: 30_000, interval: 200 }
const stops: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(stops.map((stop) => stop())))

async function start(collectors: Collector[] = []) {
  const [own, carrier] = [await database(), testDatabaseUrl(`transport_${randomUUID().replaceAll('-', '')}`)]
  const transport = await createLocalTransport({ url: carrier, storeId: 'test', log: testLog })
  const parts = {
    databaseUrl: own,
    storeId: 'test',
    transport,
    log: testLog,
    keys: testKeys,
    operators: testAdmitted.operators,
    peerUrls: {},
    internalListen: { host: '127.0.0.1', port: 0 },
  }
  const db = await prepareDatabase<any>(parts, noMigrations)
  const app = createApp({ log: testLog, name: 'kit' })
  app.register(async (app) => {
    registerRoute(app, endpoint({ method: 'GET', path: '/things/:id', access: 'public' }), async () => ({ ok: true }))
    registerRoute(app, refused('/refused/:status/:code', 'public'), refuse)
  })
  const internal = createInternalApp({ log: testLog, name: 'kit', admitted: testAdmitted })
  internal.register(async (app) => registerRoute(app, refused('/internal/refused/:status/:code', 'service'), refuse))
  const handler = vi.fn(async () => {})
  const service = await runService(parts, {
    name: 'kit',
    db,
    app,
    collectors,
    internal,
    subscriptions: [on(happened, handler)],
  })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= service.stop().then(() => transport.stop())
    return stopped
  }
  stops.push(stop)
  const scrape = async () => (await fetch(`${service.internalUrl}/metrics`)).text()
  const callInternal = (path: string) => {
    const headers = testCredential({ service: 'payments', method: 'GET', url: path })
    return fetch(service.internalUrl + path, { headers })
  }
  return { app, db, transport, handler, scrape, callInternal, stop, internalUrl: service.internalUrl }
}

const noMigrations = join(import.meta.dirname, '../../test-migrations')
const database = async () => (await createTestDatabase(noMigrations)).url

/** The sample of a figure; undefined where it is not shown. */
const sample = (text: string, name: string) => text.split('\n').find((line) => line.startsWith(`${name} `))

test('on the internal port, metrics alone need no key', async () => {
  const { app, internalUrl } = await start()
  expect((await fetch(`${internalUrl}/metrics`)).headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  for (const path of ['/openapi.json', '/healthz', '/metrics/', '/Metrics'])
    expect((await fetch(internalUrl + path)).status, path).toBe(403)
  expect((await app.inject('/metrics')).statusCode).toBe(404)
})

test('a 503 with the code of an intended refusal is counted by its code, once in the store: on public ports alone', async () => {
  const { app, scrape, callInternal } = await start()
  for (const code of ['gas_low', 'gas_low', 'fee_cap', 'busy', 'internal'])
    expect((await app.inject(`/refused/503/${code}`)).statusCode).toBe(503)
  expect((await app.inject('/refused/409/gas_low')).statusCode).toBe(409)
  expect((await callInternal('/internal/refused/503/gas_low')).status).toBe(503)

  const counted = () => scrape().then((text) => text.match(/^nifty_http_refusals_total\{.*$/gm)?.sort())
  await expect
    .poll(counted, PATIENCE)
    .toEqual(['nifty_http_refusals_total{code="fee_cap"} 1', 'nifty_http_refusals_total{code="gas_low"} 2'])
  const requests = sample(
    await scrape(),
    'nifty_http_request_duration_seconds_count{method="GET",route="/internal/refused/:status/:code",status="503"}',
  )
  expect(requests).toMatch(/ 1$/)
})

test('metrics cover requests, events, outbox, retry queue and connections', async () => {
  const { app, db, transport, handler, scrape } = await start()
  await app.inject('/things/1')
  await app.inject('/things/2')
  await app.inject('/nowhere')
  await app.inject('/healthz')
  handler.mockRejectedValueOnce(new Error('not now'))
  await transport.publish([messageOf(happened, { id: 'heard' })])
  await db.transaction().execute((trx) => publishEvent(trx, happened, { id: 'said' }))
  await vi.waitUntil(
    async () => sample(await scrape(), 'nifty_events_published_total{event="kit.happened.v1"}'),
    PATIENCE,
  )
  await vi.waitUntil(
    async () => sample(await scrape(), 'nifty_events_received_total{event="kit.happened.v1",outcome="retry"}'),
    PATIENCE,
  )
  const text = await scrape()
  // What reads the figures is not counted among those who wait for a connection.
  expect(sample(text, 'nifty_db_connections_waiting{pool="main"}')).toMatch(/ 0$/)
  const requests = (labels: string) => sample(text, `nifty_http_request_duration_seconds_count{${labels}}`)
  expect(requests('method="GET",route="/things/:id",status="200"')).toMatch(/ 2$/)
  expect(requests('method="GET",route="none",status="404"')).toMatch(/ 1$/)
  expect(text).not.toContain('route="/healthz"')
  for (const name of [
    'nifty_outbox_messages',
    'nifty_outbox_oldest_seconds',
    'nifty_retry_messages{state="waiting"}',
    'nifty_retry_messages{state="dead_letter"}',
    'nifty_db_connections_used{pool="main"}',
    'nifty_consumer_lag_messages{topic="kit"}',
    'nifty_consumer_lag_seconds{topic="kit"}',
    'process_resident_memory_bytes',
  ])
    expect(sample(text, name), name).toBeDefined()
})

test('unknown names are counted together, and events of an unknown version beside the dead letters', async () => {
  const { transport, scrape } = await start()
  const received = messageOf(happened, { id: 'heard' })
  await transport.publish([
    { ...received, id: randomUUID(), name: 'kit.foreign-1.v1' },
    { ...received, id: randomUUID(), name: 'kit.foreign-2.v1' },
    { ...received, id: randomUUID(), name: 'kit.happened.v2' },
  ])
  await vi.waitUntil(
    async () =>
      sample(await scrape(), 'nifty_events_received_total{event="unknown",outcome="unknown_name"}')?.endsWith(' 2') &&
      sample(await scrape(), 'nifty_retry_messages{state="unknown_version"}')?.endsWith(' 1'),
    PATIENCE,
  )
  expect(sample(await scrape(), 'nifty_retry_messages{state="dead_letter"}')).toMatch(/ 0$/)
})

test('backlogs have an age', async () => {
  const { db, scrape } = await start()
  const old = new Date(Date.now() - 3_600_000)
  const message = { ...messageOf(happened, { id: 'old' }), data: '{}' }
  const { id: messageId, ...rest } = message
  const parked = { messageId, ...rest, error: null, queuedAt: old }
  await db
    .insertInto('retryMessage')
    .values({ ...parked, deadLetteredAt: old })
    .execute()
  await vi.waitUntil(
    async () => sample(await scrape(), 'nifty_retry_messages{state="dead_letter"}')?.endsWith(' 1'),
    PATIENCE,
  )
  const age = sample(await scrape(), 'nifty_retry_oldest_seconds{state="dead_letter"}')!.split(' ')[1]
  expect(Number(age)).toBeGreaterThanOrEqual(3_600)
})

test('concurrent scrapes share one collection; a collector that times out is omitted and not started again meanwhile', async () => {
  const quick = vi.fn(async () => ({ nifty_test_quick: 7 }))
  const hanging = vi.fn(() => new Promise<{ nifty_test_hanging: number }>(() => {}))
  const { scrape } = await start([
    collector({ source: 'quick', metrics: { nifty_test_quick: { help: 'a figure' } }, read: quick }),
    collector({ source: 'hanging', metrics: { nifty_test_hanging: { help: 'a figure' } }, read: hanging }),
  ])
  const texts = await Promise.all(Array.from({ length: 50 }, scrape))
  expect(new Set(texts).size).toBe(1)
  expect(quick).toHaveBeenCalledTimes(1)
  expect(sample(texts[0]!, 'nifty_test_quick')).toBe('nifty_test_quick 7')
  expect(sample(texts[0]!, 'nifty_test_hanging')).toBeUndefined()
  expect(sample(texts[0]!, 'nifty_collector_up{source="hanging"}')).toMatch(/ 0$/)
  await vi.waitUntil(async () => {
    await scrape()
    return quick.mock.calls.length > 1
  }, PATIENCE)
  expect(hanging).toHaveBeenCalledTimes(1)
})

test('a database that accepts no connection is reported, whatever the open ones do', async () => {
  const { db, scrape } = await start()
  expect(sample(await scrape(), 'nifty_collector_up{source="database"}')).toMatch(/ 1$/)
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const server = openDatabase({ url: testDatabaseUrl('postgres'), log: testLog })
  await sql`alter database ${sql.id(rows[0]!.name)} with allow_connections false`.execute(server)
  await server.destroy()
  await vi.waitUntil(
    async () => sample(await scrape(), 'nifty_collector_up{source="database"}')?.endsWith(' 0'),
    PATIENCE,
  )
  const text = await scrape()
  expect(sample(text, 'nifty_database_response_seconds')).toBeUndefined()
  expect(sample(text, 'nifty_collector_up{source="messages"}')).toMatch(/ 1$/)
})

test('without the database the other metrics are exposed and nifty_collector_up is 0', async () => {
  const { db, scrape } = await start()
  expect(sample(await scrape(), 'nifty_collector_up{source="messages"}')).toMatch(/ 1$/)
  await db.destroy()
  await vi.waitUntil(
    async () => sample(await scrape(), 'nifty_collector_up{source="messages"}')?.endsWith(' 0'),
    PATIENCE,
  )
  const text = await scrape()
  expect(sample(text, 'nifty_outbox_messages')).toBeUndefined()
  expect(sample(text, 'process_start_time_seconds')).toBeDefined()
})
