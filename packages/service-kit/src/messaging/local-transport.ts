import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { type Log, withContext } from '../base/logs.ts'
import { startWorker } from '../base/worker.ts'
import { ensureDatabase, type Migration, migrate, openDatabase } from '../database/database.ts'
import { POLL_MS, startLeader } from '../database/leader.ts'
import { claimDatabase, refuseForeignDatabase } from '../database/store-identity.ts'
import { fromRow, type Message } from './message.ts'
import type { Lag, MeasuredTransport, Subscriber } from './transport.ts'

const BATCH = 100
const CONCURRENT_KEYS = 8
const RETENTION_DAYS = 14

type Row = Omit<Message, 'traceparent'> & { seq: number; traceparent: string | null }

/**
 * A transport inside one PostgreSQL database, for the one-process store. A lock serialises publishing, so that a
 * smaller `seq` never becomes visible after a larger one was read.
 */
export async function createLocalTransport({
  url,
  storeId,
  log,
}: {
  url: string
  storeId: string
  log: Log
}): Promise<MeasuredTransport> {
  const db = await openLog({ url, storeId, log })
  const retention = startWorker({ name: 'old messages', everyMs: 60 * 60_000, run: () => deleteHandled(db) }, log)
  const running = new Set<{ group: string; topics: string[]; stop: () => Promise<void> }>()

  return {
    publish: (messages) => publish(db, messages),
    subscribe: async (subscriber) => {
      await sql`
        insert into group_position (group_name, topic)
        select ${subscriber.group}, topic from unnest(${subscriber.topics}::text[]) topic
        on conflict do nothing`.execute(db)
      // One process of a group consumes at a time.
      const consumer = startLeader({
        url,
        channel: 'message',
        lock: { kind: 4714, name: subscriber.group },
        work: async () => ((await consumeBatch(db, subscriber)) === BATCH ? 0 : POLL_MS),
        log,
      })
      const subscription = {
        group: subscriber.group,
        topics: subscriber.topics,
        stop: async () => {
          running.delete(subscription)
          await consumer.stop()
        },
      }
      running.add(subscription)
      return subscription
    },
    lag: async () => (await Promise.all([...running].map((subscription) => lagOf(db, subscription)))).flat(),
    stop: async () => {
      await Promise.all([...running, retention].map((each) => each.stop()))
      await db.destroy()
    },
  }
}

export function localTransportMigrations(): Migration[] {
  const folder = join(import.meta.dirname, '../../migrations/local-transport')
  return readdirSync(folder)
    .sort()
    .map((file) => ({ name: file, file: join(folder, file) }))
}

async function openLog({ url, storeId, log }: { url: string; storeId: string; log: Log }) {
  const db = openDatabase<any>({ url, log })
  try {
    await ensureDatabase(url, () => refuseForeignDatabase(db, storeId))
    await migrate(db, localTransportMigrations())
    await claimDatabase(db, storeId)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Deletes messages past the retention that every group of their topic has handled. */
async function deleteHandled(db: Kysely<any>) {
  await sql`
    delete from message m
    where published_at < now() - make_interval(days => ${RETENTION_DAYS})
      and not exists (select from group_position p where p.topic = m.topic and p.seq < m.seq)`.execute(db)
}

/** One statement, so one round trip. The lock comes first: `seq` is assigned to the rows that its subquery returned. */
async function publish(db: Kysely<any>, messages: Message[]) {
  if (messages.length === 0) return
  const rows = JSON.stringify(
    messages.map((message, place) => ({ ...message, correlation_id: message.correlationId, place })),
  )
  await sql`
    with locked as materialized (select pg_advisory_xact_lock(4713)),
    stored as (
      insert into message (id, topic, key, name, data, correlation_id, traceparent)
      select id, topic, key, name, data, correlation_id, traceparent
      from locked, jsonb_to_recordset(${rows}::jsonb) as published
        (id uuid, topic text, key text, name text, data jsonb, correlation_id text, traceparent text, place integer)
      order by place
      returning seq
    )
    select pg_notify('message', '') from (select max(seq) from stored) newest`.execute(db)
}

async function lagOf(db: Kysely<any>, { group, topics }: { group: string; topics: string[] }) {
  const { rows } = await sql<Lag>`
    select p.group_name as "group", p.topic, count(m.seq) as messages,
      coalesce(extract(epoch from clock_timestamp() - min(m.published_at)), 0)::float8 as oldest_seconds
    from group_position p left join message m on m.topic = p.topic and m.seq > p.seq
    where p.group_name = ${group} and p.topic = any(${topics}::text[])
    group by p.group_name, p.topic`.execute(db)
  return rows
}

/** Handles different keys concurrently and each key in order. The position moves after the whole batch was handled. */
async function consumeBatch(db: Kysely<any>, { group, topics, handle }: Subscriber): Promise<number> {
  const { rows } = await sql<Row>`
    select m.* from message m
    join group_position p on p.group_name = ${group} and p.topic = m.topic and m.seq > p.seq
    where m.topic = any(${topics}::text[])
    order by m.seq limit ${BATCH}`.execute(db)
  if (rows.length === 0) return 0

  const queues = [...Map.groupBy(rows, ({ topic, key }) => `${topic} ${key}`).values()]
  const work = async () => {
    for (let queue = queues.shift(); queue; queue = queues.shift())
      for (const row of queue)
        await withContext({ correlationId: row.correlationId ?? row.id }, () => handle(fromRow(row.id, row)))
  }
  await Promise.all(Array.from({ length: CONCURRENT_KEYS }, work))

  for (const [topic, messages] of Map.groupBy(rows, ({ topic }) => topic))
    await sql`
      update group_position set seq = ${messages.at(-1)!.seq}
      where group_name = ${group} and topic = ${topic}`.execute(db)
  return rows.length
}
