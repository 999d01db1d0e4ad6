import { randomUUID } from 'node:crypto'
import { defineEvent } from '@nifty/events/define-event'
import { type Kysely, sql, type Transaction } from 'kysely'
import { Type } from 'typebox'
import { beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { createTestDatabase } from '../testing/database.ts'
import { messageOf } from '../testing/events.ts'
import { testLog } from '../testing/log.ts'
import { on, receive } from './inbox.ts'
import type { Message } from './message.ts'
import { outboxEvent, publishEvent, publishEvents, unpublishedEvents } from './outbox.ts'
import { createRelay, startRelay } from './relay.ts'
import { deleteOldMessages } from './retention.ts'
import {
  createRetrySearch,
  listRetryMessages,
  MAX_ATTEMPTS,
  replayRetryMessages,
  retryDueMessage,
} from './retry-queue.ts'
import type { MessagingTables } from './tables.ts'

const happened = defineEvent({
  name: 'kit.happened.v1',
  key: 'subject',
  data: Type.Object({ subject: Type.String(), count: Type.Integer() }),
})

let db: Kysely<MessagingTables>
let url: string
let handled: number[]
let refuse: (count: number) => boolean

const subscriptions = [
  on(happened, async (_trx: Transaction<any>, { count }) => {
    if (refuse(count)) throw new Error(`not ${count} yet`)
    handled.push(count)
  }),
]
const message = (subject: string, count: number, id?: string) => messageOf(happened, { subject, count }, id)

beforeEach(async () => {
  ;({ url } = await createTestDatabase(`${import.meta.dirname}/../../test-migrations`))
  db = openDatabase<MessagingTables>({ url, log: testLog })
  handled = []
  refuse = () => false
  return () => db.destroy()
})

const makeDue = () => sql`update retry_message set next_attempt_at = now()`.execute(db)

test('an event of a transaction that is rolled back is never published', async () => {
  const change = db.transaction().execute(async (trx) => {
    await publishEvent(trx, happened, { subject: 'a', count: 1 })
    throw new Error('changed my mind')
  })
  await expect(change).rejects.toThrow('changed my mind')
  expect(await createRelay(db, { publish: async () => {} }).run()).toBe(0)
})

test('any number of events is stored by one transaction, in their order, with any text', async () => {
  const subjects = ['"', "'", '\\', '{a,b}', 'NULL', '', 'a\nb', '$1', 'é 😀']
  const events = Array.from({ length: 10_000 }, (_, count) =>
    outboxEvent(happened, { subject: subjects[count % subjects.length]!, count }),
  )
  await db.transaction().execute((trx) => publishEvents(trx, events))
  expect(await unpublishedEvents(db)).toMatchObject({ count: events.length })
  const stored = await db.selectFrom('outbox').select(['key', 'data', 'correlationId']).orderBy('seq').execute()
  expect(stored).toEqual(events.map(({ key, data }) => ({ key, data: JSON.parse(data), correlationId: null })))
})

test('an event that could not be published stays in the outbox', async () => {
  await db.transaction().execute((trx) => publishEvent(trx, happened, { subject: 'a', count: 1 }))
  const sent: Message[] = []
  let isDown = true
  const publish = async (messages: Message[]) => {
    if (isDown) throw new Error('down')
    sent.push(...messages)
  }
  const { run } = createRelay(db, { publish })
  await expect(run()).rejects.toThrow('down')

  isDown = false
  await run()
  expect(sent).toMatchObject([{ name: 'kit.happened.v1', topic: 'kit', key: 'a', data: { subject: 'a', count: 1 } }])
  expect(await run()).toBe(0)
  expect(sent).toHaveLength(1)
})

test('an event that was published and not marked is published again, and once marked not', async () => {
  const sent: string[] = []
  const publish = async (messages: Message[]) => void sent.push(...messages.map(({ key }) => key))
  const [killed, next, last] = [1, 2, 3].map(() => createRelay(db, { publish }))
  for (const subject of ['a', 'b']) {
    await db.transaction().execute((trx) => publishEvent(trx, happened, { subject, count: 1 }))
    await killed!.run()
  }
  await next!.run()
  await next!.mark()
  await last!.run()
  expect(sent).toEqual(['a', 'b', 'b'])
})

test('an event of a transaction that commits late is published late, not skipped', async () => {
  const late = await db.startTransaction().execute()
  await publishEvent(late, happened, { subject: 'a', count: 1 })
  await db.transaction().execute((trx) => publishEvent(trx, happened, { subject: 'b', count: 2 }))
  const sent: Message[] = []
  const publish = async (messages: Message[]) => void sent.push(...messages)
  const { run } = createRelay(db, { publish })
  await run()
  await late.commit().execute()
  await run()
  expect(sent.map(({ key }) => key)).toEqual(['b', 'a'])
})

test('one of two relays publishes, and the other takes over', async () => {
  const sent: string[] = []
  const transportOf = (name: string) => ({
    publish: async (messages: Message[]) => void sent.push(...messages.map(({ key }) => `${name} ${key}`)),
    subscribe: () => Promise.reject(new Error('unused')),
    stop: async () => {},
  })
  const first = startRelay({ db, url, transport: transportOf('first'), log: testLog })
  await db.transaction().execute((trx) => publishEvent(trx, happened, { subject: 'a', count: 1 }))
  await vi.waitUntil(() => sent.length === 1, 30_000)
  const second = startRelay({ db, url, transport: transportOf('second'), log: testLog })
  await db.transaction().execute((trx) => publishEvent(trx, happened, { subject: 'b', count: 2 }))
  await vi.waitUntil(() => sent.length === 2, 30_000)
  await first.stop()
  await db.transaction().execute((trx) => publishEvent(trx, happened, { subject: 'c', count: 3 }))
  await vi.waitUntil(() => sent.length === 3, { timeout: 30_000 })
  await second.stop()
  expect(sent).toEqual(['first a', 'first b', 'second c'])
})

test('a redelivered message is handled once', async () => {
  const id = randomUUID()
  await receive(db, subscriptions, message('a', 1, id))
  await receive(db, subscriptions, message('a', 1, id))
  expect(handled).toEqual([1])
})

test('a handler that throws is rolled back, and other keys are not blocked', async () => {
  refuse = (count) => count === 1
  expect(await receive(db, subscriptions, message('a', 1))).toBe('retry')
  expect(await receive(db, subscriptions, message('b', 2))).toBe('handled')
  expect(handled).toEqual([2])
  expect(await db.selectFrom('inbox').selectAll().execute()).toHaveLength(1)
})

test('messages behind a queued one of the same key stay in order', async () => {
  refuse = () => true
  await receive(db, subscriptions, message('a', 1))
  refuse = () => false
  expect(await receive(db, subscriptions, message('a', 2))).toBe('retry')
  await makeDue()
  while (await retryDueMessage(db, subscriptions, testLog));
  expect(handled).toEqual([1, 2])
  expect(await listRetryMessages(db)).toEqual({ messages: [], total: 0, deadLettered: 0 })
})

test('two replicas do not retry a message at the same time', async () => {
  refuse = () => true
  await receive(db, subscriptions, message('a', 1))
  await makeDue()
  const [isRunning, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = on(happened, async () => {
    isRunning.resolve()
    await mayEnd.promise
  })
  const first = retryDueMessage(db, [slow], testLog)
  await isRunning.promise

  const second = await retryDueMessage(db, [slow], testLog).finally(mayEnd.resolve)

  expect([await first, second]).toEqual([true, false])
  expect((await listRetryMessages(db)).total).toBe(0)
})

test('an empty retry queue is read again only when this process adds a message, until some seconds have passed', async () => {
  const search = createRetrySearch(db, subscriptions)
  refuse = () => true
  expect(await search.isMessageDue()).toBe(false)
  await receive(db, subscriptions, message('a', 1))
  await makeDue()
  expect(await search.isMessageDue()).toBe(false)
  search.added()
  expect(await search.isMessageDue()).toBe(true)
  expect(await search.isMessageDue()).toBe(true)
})

test('a message that is added while the queue is read is found by the next search', async () => {
  const search = createRetrySearch(db, subscriptions)
  refuse = () => true
  const reading = search.isMessageDue()
  search.added()
  expect(await reading).toBe(false)
  await receive(db, subscriptions, message('a', 1))
  await makeDue()
  expect(await search.isMessageDue()).toBe(true)
})

test('a message that keeps failing becomes a dead letter, blocks no other, and can be replayed', async () => {
  refuse = (count) => count === 1
  await receive(db, subscriptions, message('a', 1))
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
    await makeDue()
    await retryDueMessage(db, subscriptions, testLog)
  }
  expect((await listRetryMessages(db)).messages).toMatchObject([
    { deadLetteredAt: expect.any(Date), error: 'Error: not 1 yet' },
  ])
  expect(await receive(db, subscriptions, message('a', 2))).toBe('handled')

  refuse = () => false
  const replayed = db.transaction().execute((trx) => replayRetryMessages(trx, { operator: 'ada', reason: 'mended' }))
  expect(await replayed).toEqual({ messages: 1, unknownVersion: 0 })
  await retryDueMessage(db, subscriptions, testLog)
  expect(handled).toEqual([2, 1])
})

test('an unknown field is ignored', async () => {
  const received = { ...message('a', 2), data: { subject: 'a', count: 2, colour: 'red' } }
  expect(await receive(db, subscriptions, received)).toBe('handled')
  expect(handled).toEqual([2])
})

test('published events are deleted after 30 days, inbox ids after 90, unpublished events never', async () => {
  await db.transaction().execute(async (trx) => {
    for (const count of [1, 2, 3]) await publishEvent(trx, happened, { subject: 'a', count })
  })
  await sql`
    update outbox set created_at = now() - interval '99 days',
      published_at = case data->>'count' when '1' then now() - interval '31 days' when '2' then now() end`.execute(db)
  const heard = [message('a', 4), message('a', 5)]
  for (const each of heard) await receive(db, subscriptions, each)
  await sql`update inbox set received_at = now() - interval '91 days' where message_id = ${heard[0]!.id}`.execute(db)

  expect(await deleteOldMessages(db)).toBe(false)

  const said = await db.selectFrom('outbox').select('data').orderBy('seq').execute()
  expect(said.map(({ data }) => (data as { count: number }).count)).toEqual([2, 3])
  expect(await db.selectFrom('inbox').select('messageId').execute()).toEqual([{ messageId: heard[1]!.id }])
})
