import { randomUUID } from 'node:crypto'
import { defineEvent } from '@nifty/events/define-event'
import { type Kysely, sql, type Transaction } from 'kysely'
import { Type } from 'typebox'
import { beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { createTestDatabase } from '../testing/database.ts'
import { messageOf } from '../testing/events.ts'
import { testLog } from '../testing/log.ts'
import { on, receive } from './inbox.ts'
import { listRetryMessages, MAX_ATTEMPTS, replayRetryMessages, retryDueMessage } from './retry-queue.ts'
import type { MessagingTables } from './tables.ts'

const inVersion = (version: number) =>
  defineEvent({
    name: `kit.happened.v${version}`,
    key: 'subject',
    data: Type.Object({ subject: Type.String(), count: Type.Integer() }),
  })
const happened = inVersion(1)

let db: Kysely<MessagingTables>
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
  const { url } = await createTestDatabase(`${import.meta.dirname}/../../test-migrations`)
  db = openDatabase<MessagingTables>({ url, log: testLog })
  handled = []
  refuse = () => false
  return () => db.destroy()
})

const makeDue = () => sql`update retry_message set next_attempt_at = now()`.execute(db)

test('an unknown version is a dead letter that no attempt of this release touches and that blocks nothing', async () => {
  const unknown = { ...message('a', 1), name: 'kit.happened.v2' }
  expect(await receive(db, subscriptions, unknown)).toBe('unknown_version')
  expect(await receive(db, subscriptions, unknown)).toBe('unknown_version')
  expect(await receive(db, subscriptions, message('a', 2))).toBe('handled')
  const replayed = db.transaction().execute((trx) => replayRetryMessages(trx, { operator: 'ada', reason: 'impatient' }))
  expect(await replayed).toEqual({ messages: 0, unknownVersion: 1 })
  expect(await retryDueMessage(db, subscriptions, testLog)).toBe(false)
  expect(handled).toEqual([2])
  expect(await listRetryMessages(db)).toMatchObject({
    total: 1,
    deadLettered: 1,
    messages: [{ messageId: unknown.id, attempts: 0, error: expect.stringContaining('does not know kit.happened.v2') }],
  })
})

test('a release that knows the version handles such dead letters once, in the order of their key', async () => {
  const next = inVersion(2)
  const unknown = [1, 2].map((count) => messageOf(next, { subject: 'a', count }))
  for (const each of unknown) await receive(db, subscriptions, each)
  const handledByNext: number[] = []
  const subscriptionsOfNext = [
    ...subscriptions,
    on(next, async (_trx: Transaction<any>, { count }) => void handledByNext.push(count)),
  ]

  while (await retryDueMessage(db, subscriptionsOfNext, testLog));
  expect(handledByNext).toEqual([1, 2])
  for (const each of unknown) await receive(db, subscriptionsOfNext, each)

  expect(handledByNext).toEqual([1, 2])
  expect(await listRetryMessages(db)).toEqual({ messages: [], total: 0, deadLettered: 0 })
})

test('a queued message whose version the running release does not know ends as such a dead letter', async () => {
  refuse = () => true
  const id = randomUUID()
  await receive(db, subscriptions, message('a', 1, id))
  const older = [on(inVersion(0), async () => {})]
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
    await makeDue()
    await retryDueMessage(db, older, testLog)
  }
  expect((await listRetryMessages(db)).messages).toMatchObject([{ messageId: id, unknownVersion: true }])

  refuse = () => false
  await makeDue()
  while (await retryDueMessage(db, subscriptions, testLog));
  expect(handled).toEqual([1])
})

test('an event in the topic of another service is refused: only its publisher may write to its own', async () => {
  const forged = { ...message('a', 1), topic: 'catalog' }
  expect(await receive(db, subscriptions, forged)).toBe('foreign_topic')
  expect(await receive(db, subscriptions, { ...forged, name: 'kit.happened.v2' })).toBe('foreign_topic')
  expect(handled).toEqual([])
  expect((await listRetryMessages(db)).total).toBe(0)
})

test('an event that the service does not consume is ignored, a name that no event of the store has is reported', async () => {
  const ignored = { ...message('a', 1), topic: 'auth', name: 'auth.account-changed.v7' }
  const foreign = { ...message('a', 2), name: 'kit.vanished.v1' }
  expect(await receive(db, subscriptions, ignored)).toBe('ignored')
  expect(await receive(db, subscriptions, foreign)).toBe('unknown_name')
  expect((await listRetryMessages(db)).total).toBe(0)
})
