import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { createEventCollector } from './event-collector.ts'
import { received, storeEvents } from './webhook.store.ts'

const summary = { sessionId: null, intentId: null, orderId: null, subject: null, created: new Date() }
const eventOf = (eventId: string, type: string) => received({ ...summary, eventId, type })

test('events without news wait for others, and one with news does not wait for them', async () => {
  const statements: string[][] = []
  const collector = createEventCollector(async (events) => statements.push(events.map(({ eventId }) => eventId)))

  const created = collector.store(eventOf('created', 'payment_intent.created'))
  await sleep(60)
  const succeeded = collector.store(eventOf('succeeded', 'charge.succeeded'))
  const completed = collector.store(eventOf('completed', 'checkout.session.completed'))
  await Promise.all([created, succeeded, completed])

  expect(statements).toEqual([['created', 'succeeded', 'completed']])
})

test('an event that cannot be stored does not keep out those that arrive with it', async () => {
  const { db } = await startTestPayments({ manual: true })
  const collector = createEventCollector((events) => storeEvents(db, events, { fetched: false }))
  const store = (eventId: string, created = new Date()) =>
    collector.store({ ...eventOf(eventId, 'charge.pending'), created })

  const undated = new Date(Number.NaN)
  const stored = await Promise.allSettled([store('evt_1'), store('evt_2', undated), store('evt_3')])
  expect(stored.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const rows = await db.selectFrom('stripeInbox').select('eventId').orderBy('eventId').execute()
  expect(rows.map(({ eventId }) => eventId)).toEqual(['evt_1', 'evt_3'])
})
