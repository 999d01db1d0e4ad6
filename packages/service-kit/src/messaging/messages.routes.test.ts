import { randomUUID } from 'node:crypto'
import { defineEvent } from '@nifty/events/define-event'
import { type Kysely, sql } from 'kysely'
import { Type } from 'typebox'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { listOperatorActions } from '../database/operator-audit.ts'
import { createInternalApp } from '../http/internal.ts'
import { createTestDatabase } from '../testing/database.ts'
import { messageOf } from '../testing/events.ts'
import { testLog } from '../testing/log.ts'
import { testAdmitted, testCredential } from '../testing/peers.ts'
import { on, receive } from './inbox.ts'
import { messageRoutes } from './messages.routes.ts'
import { publishEvent } from './outbox.ts'
import { MAX_ATTEMPTS, retryDueMessage } from './retry-queue.ts'
import type { MessagingTables } from './tables.ts'

const happened = defineEvent({
  name: 'kit.happened.v1',
  key: 'subject',
  data: Type.Object({ subject: Type.String(), count: Type.Integer() }),
})

const { url } = await createTestDatabase(`${import.meta.dirname}/../../test-migrations`)
const db: Kysely<MessagingTables> = openDatabase({ url, log: testLog })
const app = createInternalApp({ log: testLog, name: 'test', admitted: testAdmitted })
app.register(messageRoutes, { db })
afterAll(async () => {
  await app.close()
  await db.destroy()
})

let broken = true
let handled: number[]
const subscriptions = [
  on(happened, async (_trx, { count }) => {
    if (broken) throw new Error('the handler failed')
    handled.push(count)
  }),
]
const ada = { reason: 'made room' }

async function ask(method: 'GET' | 'POST', path: string, payload?: object) {
  const body = payload && JSON.stringify(payload)
  const headers = testCredential({ service: 'test', method, url: path, body })
  const response = await app.inject({ method, url: path, payload, headers })
  return { status: response.statusCode, body: response.json() }
}

async function queueMessage(subject: string, count: number, attempts = 1) {
  const message = messageOf(happened, { subject, count }, randomUUID())
  await receive(db, subscriptions, message)
  for (let attempt = 1; attempt < attempts; attempt++) {
    await sql`update retry_message set next_attempt_at = now()`.execute(db)
    await retryDueMessage(db, subscriptions, testLog)
  }
  return message.id
}

async function work() {
  while (await retryDueMessage(db, subscriptions, testLog));
}

beforeEach(async () => {
  await sql`truncate retry_message, inbox, outbox, republication`.execute(db)
  broken = true
  handled = []
})

test('lists the retry queue with age, error and dead letters', async () => {
  const lost = await queueMessage('a', 1, MAX_ATTEMPTS)
  const stuck = await queueMessage('b', 2)
  const behind = await queueMessage('b', 3)

  const { body } = await ask('GET', '/internal/ops/messages')
  expect(body).toMatchObject({ total: 3, deadLettered: 1, unpublished: { count: 0, oldest: null } })
  const since = expect.stringMatching(/Z$/)
  const error = 'Error: the handler failed'
  expect(body.messages).toEqual([
    {
      messageId: lost,
      name: 'kit.happened.v1',
      key: 'a',
      since,
      attempts: 12,
      error,
      nextAttemptAt: null,
      deadLetteredAt: since,
      unknownVersion: false,
    },
    {
      messageId: stuck,
      name: 'kit.happened.v1',
      key: 'b',
      since,
      attempts: 1,
      error,
      nextAttemptAt: since,
      deadLetteredAt: null,
      unknownVersion: false,
    },
    {
      messageId: behind,
      name: 'kit.happened.v1',
      key: 'b',
      since,
      attempts: 0,
      error: null,
      nextAttemptAt: since,
      deadLetteredAt: null,
      unknownVersion: false,
    },
  ])
})

test('a message is replayed once, and repeating the request is safe', async () => {
  const messageId = await queueMessage('a', 1, MAX_ATTEMPTS)
  await queueMessage('b', 2, MAX_ATTEMPTS)
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
  expect(await listOperatorActions(db, [messageId])).toMatchObject([{ action: 'replay-messages', ...ada }])
})

test('all messages of a key, or all messages, are replayed in order', async () => {
  await queueMessage('a', 1, MAX_ATTEMPTS)
  await queueMessage('a', 2, MAX_ATTEMPTS)
  await queueMessage('b', 3, MAX_ATTEMPTS)
  broken = false

  expect((await ask('POST', '/internal/ops/replay', { only: 'a', ...ada })).body).toEqual({
    messages: 2,
    unknownVersion: 0,
  })
  await work()
  expect(handled).toEqual([1, 2])
  expect((await ask('POST', '/internal/ops/replay', ada)).body).toEqual({ messages: 1, unknownVersion: 0 })
  await work()
  expect(handled).toEqual([1, 2, 3])
  expect((await ask('POST', '/internal/ops/replay', ada)).body).toEqual({ messages: 0, unknownVersion: 0 })
})

test('an id that was never queued is a 404, and a replay needs operator and reason', async () => {
  expect(await ask('POST', '/internal/ops/replay', { only: randomUUID(), ...ada })).toMatchObject({
    status: 404,
    body: { code: 'message_not_found' },
  })
  expect((await ask('POST', '/internal/ops/replay', { reason: ' ' })).status).toBe(400)
  expect((await app.inject('/internal/ops/messages')).statusCode).toBe(403)
})

test('an attempt whose handler costs the connection is counted, so that the message becomes a dead letter', async () => {
  const messageId = await queueMessage('a', 1, MAX_ATTEMPTS - 1)
  await sql`update retry_message set next_attempt_at = now()`.execute(db)
  const ending = [
    on(happened, async (trx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx)
    }),
  ]
  expect(await retryDueMessage(db, ending, testLog)).toBe(true)
  const { messages } = (await ask('GET', '/internal/ops/messages')).body
  expect(messages).toMatchObject([{ messageId, attempts: MAX_ATTEMPTS, deadLetteredAt: expect.any(String) }])
})

test('a dead letter is discarded once, with its reason, and is handled no more', async () => {
  const messageId = await queueMessage('a', 1, MAX_ATTEMPTS)
  const next = await queueMessage('b', 2)
  const discard = (id: string) => ask('POST', '/internal/ops/discard', { messageId: id, ...ada })
  expect(await discard(messageId)).toEqual({ status: 200, body: { event: { name: 'kit.happened.v1', key: 'a' } } })
  expect(await discard(messageId)).toEqual({ status: 200, body: { event: null } })
  expect((await ask('GET', '/internal/ops/messages')).body).toMatchObject({ total: 1, deadLettered: 0 })
  expect(await listOperatorActions(db, [messageId])).toMatchObject([{ action: 'discard-message', ...ada }])

  broken = false
  await receive(db, subscriptions, messageOf(happened, { subject: 'a', count: 1 }, messageId))
  expect(handled).toEqual([])
  expect(await discard(next)).toMatchObject({ status: 409, body: { code: 'not_dead_lettered' } })
  expect(await discard(randomUUID())).toMatchObject({ status: 404, body: { code: 'message_not_found' } })
  expect((await ask('POST', '/internal/ops/discard', { messageId })).status).toBe(400)
})

test('a republication is recorded with its operator, and its time has a zone', async () => {
  await db.transaction().execute(async (trx) => {
    for (const count of [1, 2]) await publishEvent(trx, happened, { subject: 'a', count })
  })
  await sql`update outbox set published_at = now()`.execute(db)
  const since = new Date(Date.now() - 86_400_000).toISOString()
  expect((await ask('POST', '/internal/ops/republish', { since, ...ada })).body).toEqual({ messages: 2 })
  expect((await ask('GET', '/internal/ops/messages')).body).toMatchObject({ republishing: true })
  expect(await listOperatorActions(db, [since])).toMatchObject([{ action: 'republish', ...ada }])
  expect((await ask('POST', '/internal/ops/republish', { since: '2099-01-01T00:00:00Z', ...ada })).body).toEqual({
    messages: 0,
  })
  const old = await ask('POST', '/internal/ops/republish', { since: '2026-01-02T03:04:05Z', ...ada })
  expect(old).toMatchObject({
    status: 400,
    body: { code: 'since_too_old', message: expect.stringContaining('30 days') },
  })
  for (const wrong of ['yesterday', '2026-01-02T03:04:05', '2026-13-02T03:04:05Z', ''])
    expect((await ask('POST', '/internal/ops/republish', { since: wrong, ...ada })).status, wrong).toBe(400)
  expect((await ask('POST', '/internal/ops/republish', { since })).status).toBe(400)
})

test('unpublished events are counted', async () => {
  await db.transaction().execute((trx) => publishEvent(trx, happened, { subject: 'a', count: 1 }))
  const { body } = await ask('GET', '/internal/ops/messages')
  expect(body.unpublished).toEqual({ count: 1, oldest: expect.stringMatching(/Z$/) })
})
