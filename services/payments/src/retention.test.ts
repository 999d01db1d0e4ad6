import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteExpired } from './retention.ts'
import { startTestPayments } from './testing/payments.ts'

const payments = await startTestPayments({ manual: true })
const { db } = payments

async function givenEvent(eventId: string, days: number, { handled = true } = {}) {
  const at = sql<Date>`now() - make_interval(days => ${days})`
  await sql`insert into stripe_inbox (event_id, type, created, fetched, received_at, handled_at)
    values (${eventId}, 'charge.succeeded', ${at}, false, ${at}, case when ${handled}::boolean then ${at} end)`.execute(
    db,
  )
}

const eventIds = async () =>
  (await db.selectFrom('stripeInbox').select('eventId').orderBy('created').execute()).map(({ eventId }) => eventId)

test('handled webhook events are deleted after 180 days; waiting ones and the newest one stay', async () => {
  await givenEvent('old', 181)
  await givenEvent('waiting', 182, { handled: false })
  await givenEvent('kept', 179)
  await deleteExpired(db)
  expect(await eventIds()).toEqual(['waiting', 'kept'])

  await sql`update stripe_inbox set created = created - interval '1 year'`.execute(db)
  await deleteExpired(db)
  expect(await eventIds()).toEqual(['waiting', 'kept'])
})

test('the service deletes them at its start', async () => {
  const started = await startTestPayments()
  await sql`insert into stripe_inbox (event_id, type, created, fetched, handled_at)
    values ('old', 'x', now() - interval '1 year', false, now()), ('new', 'x', now(), false, now())`.execute(started.db)
  await started.restart()
  const old = started.db.selectFrom('stripeInbox').select('eventId').where('eventId', '=', 'old')
  await expect.poll(() => old.execute(), { timeout: 10_000 }).toEqual([])
})
