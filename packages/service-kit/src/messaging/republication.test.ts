import { randomUUID } from 'node:crypto'
import { defineEvent } from '@nifty/events/define-event'
import { type Kysely, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { Type } from 'typebox'
import { beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { createTestDatabase, testDatabaseUrl, testServerUrl } from '../testing/database.ts'
import { testLog } from '../testing/log.ts'
import { on, receive } from './inbox.ts'
import { createLocalTransport } from './local-transport.ts'
import type { Message } from './message.ts'
import { publishEvent } from './outbox.ts'
import { createRelay, startRelay } from './relay.ts'
import { republishBatch, requestRepublication } from './republication.ts'
import type { MessagingTables } from './tables.ts'

const happened = defineEvent({
  name: 'kit.happened.v1',
  key: 'subject',
  data: Type.Object({ subject: Type.String(), count: Type.Integer() }),
})
const ada = { operator: 'ada', reason: 'Kafka was lost' }
const HOUR_MS = 3_600_000

let db: Kysely<MessagingTables>
let url: string
let sent: Message[]
const transport = { publish: async (messages: Message[]) => void sent.push(...messages) }
const countOf = ({ data }: Message) => (data as { count: number }).count
const counts = () => sent.map(countOf)
const upTo = (end: number) => Array.from({ length: end }, (_, count) => count)

beforeEach(async () => {
  ;({ url } = await createTestDatabase(`${import.meta.dirname}/../../test-migrations`))
  db = openDatabase<MessagingTables>({ url, log: testLog })
  sent = []
  return () => db.destroy()
})

async function publish(from: number, to: number) {
  await db.transaction().execute(async (trx) => {
    for (let count = from; count < to; count++) await publishEvent(trx, happened, { subject: 'a', count })
  })
  const { run } = createRelay(db, transport)
  while (await run());
}

const request = (since: Date) => db.transaction().execute((trx) => requestRepublication(trx, { ...ada, since }))

async function republishAll() {
  while (await republishBatch(db, transport));
}

test('events published since then are published again in batches and in order, earlier ones are not', async () => {
  await publish(0, 3)
  await sql`update outbox set published_at = now() - interval '2 hours'`.execute(db)
  await publish(3, 450)
  // The transaction of an event with an earlier number may commit, and be published, later than others.
  await sql`update outbox set published_at = now() - interval '2 hours' where (data->>'count')::int = 7`.execute(db)
  const original = sent.splice(0).filter((message) => countOf(message) >= 3 && countOf(message) !== 7)

  expect(await request(new Date(Date.now() - HOUR_MS))).toBe(446)
  await republishAll()
  expect(sent).toEqual(original)
  expect(await request(new Date(Date.now() + HOUR_MS))).toBe(0)
})

test('no event overtakes an earlier one of its key that is published again', async () => {
  await publish(0, 450)
  sent = []
  await request(new Date(Date.now() - HOUR_MS))
  await db.transaction().execute((trx) => publishEvent(trx, happened, { subject: 'a', count: 450 }))
  const relay = startRelay({ db, url, transport, log: testLog })
  await vi.waitUntil(() => counts().includes(450), { timeout: 30_000 })
  await relay.stop()
  expect(counts()).toEqual(upTo(451))
})

test('a batch that could not be published is published later, and what was handled is not handled again', async () => {
  await publish(0, 250)
  const handled: number[] = []
  const subscriptions = [on(happened, async (_trx: Transaction<any>, { count }) => void handled.push(count))]
  for (const message of sent.slice(0, 200)) await receive(db, subscriptions, message)
  sent = []

  await request(new Date(Date.now() - HOUR_MS))
  await expect(republishBatch(db, { publish: () => Promise.reject(new Error('down')) })).rejects.toThrow('down')
  await republishAll()
  for (const message of sent) await receive(db, subscriptions, message)
  expect(handled).toEqual(upTo(250))
})

test('a consumer whose database is restored receives what it has lost, once, when it is published again', async () => {
  const carrier = testDatabaseUrl(`transport_${randomUUID().replaceAll('-', '')}`)
  const log = await createLocalTransport({ url: carrier, storeId: 'test', log: testLog })
  const relay = startRelay({ db, url, transport: log, log: testLog })
  const say = (count: number) => db.transaction().execute((trx) => publishEvent(trx, happened, { subject: 'a', count }))
  const consumer = await createTestDatabase(`${import.meta.dirname}/../../test-migrations`)
  let handled: number[] = []
  async function consume(databaseUrl: string) {
    const own = openDatabase<MessagingTables>({ url: databaseUrl, log: testLog })
    const subscriptions = [on(happened, async (_trx: Transaction<any>, { count }) => void handled.push(count))]
    const subscription = await log.subscribe({
      group: 'restored',
      topics: ['kit'],
      handle: async (message) => void (await receive(own, subscriptions, message)),
    })
    return async () => {
      await subscription.stop()
      await own.destroy()
    }
  }

  let stop = await consume(consumer.url)
  await say(1)
  await vi.waitUntil(() => handled.includes(1), { timeout: 30_000 })
  await stop()
  const restorePoint = await copyDatabase(consumer.url)
  const since = new Date()
  stop = await consume(consumer.url)
  await say(2)
  await vi.waitUntil(() => handled.includes(2), { timeout: 30_000 })
  await stop()

  handled = []
  stop = await consume(restorePoint)
  await say(3)
  await vi.waitUntil(() => handled.includes(3), { timeout: 30_000 })
  expect(handled).toEqual([3])
  await request(new Date(since.getTime() - HOUR_MS))
  await vi.waitUntil(() => handled.includes(2), { timeout: 30_000 })
  await say(4)
  await vi.waitUntil(() => handled.includes(4), { timeout: 30_000 })
  expect(handled).toEqual([3, 2, 4])
  await stop()
  await relay.stop()
  await log.stop()
})

/** A copy of a database without connections. */
async function copyDatabase(of: string) {
  const name = `copy_${randomUUID().replaceAll('-', '')}`
  const server = new pg.Client({ connectionString: testServerUrl() })
  await server.connect()
  await server.query(`create database ${name} template ${new URL(of).pathname.slice(1)}`)
  await server.end()
  return testDatabaseUrl(name)
}
