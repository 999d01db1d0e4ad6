import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { createEventCollector } from './event-collector.ts'
import { received, storeEvents } from './webhook.store.ts'

test('an event that cannot be stored does not keep out those that arrive with it', async () => {
  const { db } = await startTestPayments({ manual: true })
  const collector = createEventCollector((events) => storeEvents(db, events, { fetched: false }))
  const summary = { type: 'charge.pending', sessionId: null, intentId: null, orderId: null, subject: null, facts: {} }
  const store = (eventId: string, created = new Date()) => collector.store(received({ ...summary, eventId, created }))

  const undated = new Date(Number.NaN)
  const stored = await Promise.allSettled([store('evt_1'), store('evt_2', undated), store('evt_3')])
  expect(stored.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const rows = await db.selectFrom('stripeInbox').select('eventId').orderBy('eventId').execute()
  expect(rows.map(({ eventId }) => eventId)).toEqual(['evt_1', 'evt_3'])
})
