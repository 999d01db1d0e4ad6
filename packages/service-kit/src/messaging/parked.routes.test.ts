import { randomUUID } from 'node:crypto'
import { defineEvent } from '@nifty/events/define-event'
import { type Kysely, sql } from 'kysely'
import { Type } from 'typebox'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../database.ts'
import { createInternalApp } from '../http/internal.ts'
import { createTestDatabase } from '../testing/database.ts'
import { messageOf } from '../testing/events.ts'
import { testLog } from '../testing/log.ts'
import { on, receive } from './inbox.ts'
import { publishEvent } from './outbox.ts'
import { parkedRoutes } from './parked.routes.ts'
import { MAX_ATTEMPTS, retryParked } from './parked.ts'
import type { MessagingTables } from './tables.ts'

const secret = 'only neighbours know this'
const happened = defineEvent({
  name: 'kit.happened.v1',
  key: 'subject',
  data: Type.Object({ subject: Type.String(), count: Type.Integer() }),
})

const { url } = await createTestDatabase(`${import.meta.dirname}/../../test-migrations`)
const db: Kysely<MessagingTables> = openDatabase({ url, log: testLog })
const app = createInternalApp({ log: testLog, name: 'test', secret })
app.register(parkedRoutes, { db })
afterAll(async () => {
  await app.close()
  await db.destroy()
})

let broken = true
let handled: number[]
const subscriptions = [
  on(happened, async (_trx, { count }) => {
    if (broken) throw new Error('the shelf is full')
    handled.push(count)
  }),
]
const ada = { operator: 'ada', reason: 'made room' }

async function ask(method: 'GET' | 'POST', path: string, payload?: object) {
  const response = await app.inject({ method, url: path, payload, headers: { 'x-internal-secret': secret } })
  return { status: response.statusCode, body: response.json() }
}

async function park(subject: string, count: number, attempts = 1) {
  const message = messageOf(happened, { subject, count }, randomUUID())
  await receive(db, subscriptions, message)
  for (let attempt = 1; attempt < attempts; attempt++) {
    await sql`update parked_event set next_attempt_at = now()`.execute(db)
    await retryParked(db, subscriptions, testLog)
  }
  return message.id
}

async function work() {
  while (await retryParked(db, subscriptions, testLog));
}

beforeEach(async () => {
  await sql`truncate parked_event, inbox, outbox, replay`.execute(db)
  broken = true
  handled = []
})

test('an operator reads what is parked, since when, why, and whether it was given up', async () => {
  const lost = await park('a', 1, MAX_ATTEMPTS)
  const stuck = await park('b', 2)
  const behind = await park('b', 3)

  const { body } = await ask('GET', '/internal/ops/messages')
  expect(body).toMatchObject({ total: 3, givenUp: 1, unsent: { count: 0, oldest: null } })
  const since = expect.stringMatching(/Z$/)
  const error = 'Error: the shelf is full'
  expect(body.messages).toEqual([
    {
      messageId: lost,
      name: 'kit.happened.v1',
      key: 'a',
      since,
      attempts: 12,
      error,
      nextTryAt: null,
      givenUpAt: since,
    },
    {
      messageId: stuck,
      name: 'kit.happened.v1',
      key: 'b',
      since,
      attempts: 1,
      error,
      nextTryAt: since,
      givenUpAt: null,
    },
    {
      ...{ messageId: behind, name: 'kit.happened.v1', key: 'b', since, attempts: 0, error: null },
      ...{ nextTryAt: since, givenUpAt: null },
    },
  ])
})

test('a message is replayed once, and asking again does no harm', async () => {
  const messageId = await park('a', 1, MAX_ATTEMPTS)
  await park('b', 2, MAX_ATTEMPTS)
  broken = false

  expect(await ask('POST', '/internal/ops/replay', { only: messageId, ...ada })).toMatchObject({
    body: { messages: 1 },
  })
  await work()
  expect(await ask('POST', '/internal/ops/replay', { only: messageId, ...ada })).toMatchObject({
    body: { messages: 0 },
  })
  await work()
  expect(handled).toEqual([1])
  const kept = await db.selectFrom('replay').select(['messageId', 'operator', 'reason']).execute()
  expect(kept).toEqual([{ messageId, ...ada }])
})

test('all of a key are replayed in their order, or all there is', async () => {
  await park('a', 1, MAX_ATTEMPTS)
  await park('a', 2, MAX_ATTEMPTS)
  await park('b', 3, MAX_ATTEMPTS)
  broken = false

  expect((await ask('POST', '/internal/ops/replay', { only: 'a', ...ada })).body).toEqual({ messages: 2 })
  await work()
  expect(handled).toEqual([1, 2])
  expect((await ask('POST', '/internal/ops/replay', ada)).body).toEqual({ messages: 1 })
  await work()
  expect(handled).toEqual([1, 2, 3])
  expect((await ask('POST', '/internal/ops/replay', ada)).body).toEqual({ messages: 0 })
})

test('what was never parked is named, and nobody replays without saying who and why', async () => {
  expect(await ask('POST', '/internal/ops/replay', { only: randomUUID(), ...ada })).toMatchObject({
    status: 404,
    body: { code: 'not_parked' },
  })
  expect((await ask('POST', '/internal/ops/replay', { only: 'a', operator: 'ada' })).status).toBe(400)
  expect((await app.inject('/internal/ops/messages')).statusCode).toBe(403)
})

test('what could not be sent is counted', async () => {
  await db.transaction().execute((trx) => publishEvent(trx, happened, { subject: 'a', count: 1 }))
  const { body } = await ask('GET', '/internal/ops/messages')
  expect(body.unsent).toEqual({ count: 1, oldest: expect.stringMatching(/Z$/) })
})
