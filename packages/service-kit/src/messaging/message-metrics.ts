import { type Kysely, sql } from 'kysely'
import { Counter } from 'prom-client'
import { collector, type Metrics } from '../base/metrics.ts'
import type { Outcome } from './inbox.ts'
import type { Message } from './message.ts'
import type { MeasuredTransport, Transport } from './transport.ts'

/** Counts stop here, because counting a large backlog is expensive and the exact number does not matter. */
const COUNT_TO = 10_000

/** Backlogs in the service's own database: outbox and retry queue. Ages in seconds. */
export const messagesCollector = (db: Kysely<any>) =>
  collector({
    source: 'messages',
    metrics: {
      nifty_outbox_messages: { help: `Unpublished events, counted to ${COUNT_TO}` },
      nifty_outbox_oldest_seconds: { help: 'Age of the oldest unpublished event' },
      nifty_retry_messages: { help: `Messages in the retry queue, counted to ${COUNT_TO}`, label: 'state' },
      nifty_retry_oldest_seconds: { help: 'Age of the oldest message in the retry queue', label: 'state' },
    },
    read: async () => {
      const { rows } = await sql<Record<string, number | null>>`
        select
          (select count(*) from (select from outbox where published_at is null limit ${COUNT_TO}) o) as outbox,
          (select extract(epoch from clock_timestamp() - created_at)::float8 from outbox
            where published_at is null order by seq limit 1) as outbox_oldest,
          (select count(*) from (select from retry_message where dead_lettered_at is null limit ${COUNT_TO}) w) as waiting,
          (select extract(epoch from clock_timestamp() - queued_at)::float8 from retry_message
            where dead_lettered_at is null order by queued_at limit 1) as waiting_oldest,
          (select count(*) from (select from retry_message
            where dead_lettered_at is not null and not unknown_version limit ${COUNT_TO}) g) as dead_letter,
          (select extract(epoch from clock_timestamp() - dead_lettered_at)::float8 from retry_message
            where dead_lettered_at is not null and not unknown_version
            order by dead_lettered_at limit 1) as dead_letter_oldest,
          (select count(*) from (select from retry_message where unknown_version limit ${COUNT_TO}) u) as unknown_version,
          (select extract(epoch from clock_timestamp() - dead_lettered_at)::float8 from retry_message
            where unknown_version order by dead_lettered_at limit 1) as unknown_version_oldest`.execute(db)
      const found = rows[0]!
      return {
        nifty_outbox_messages: found.outbox!,
        nifty_outbox_oldest_seconds: found.outboxOldest ?? 0,
        nifty_retry_messages: {
          waiting: found.waiting!,
          dead_letter: found.deadLetter!,
          unknown_version: found.unknownVersion!,
        },
        nifty_retry_oldest_seconds: {
          waiting: found.waitingOldest ?? 0,
          dead_letter: found.deadLetterOldest ?? 0,
          unknown_version: found.unknownVersionOldest ?? 0,
        },
      }
    },
  })

/** Consumer lag by topic; the same metrics for every transport. */
export const lagCollector = (transport: MeasuredTransport, group: string) =>
  collector({
    source: 'transport',
    metrics: {
      nifty_consumer_lag_messages: { help: 'Published messages that the group has not handled', label: 'topic' },
      nifty_consumer_lag_seconds: { help: 'Age of the oldest message that the group has not handled', label: 'topic' },
    },
    read: async () => {
      const lags = (await transport.lag()).filter((lag) => lag.group === group)
      return {
        nifty_consumer_lag_messages: Object.fromEntries(lags.map(({ topic, messages }) => [topic, messages])),
        nifty_consumer_lag_seconds: Object.fromEntries(lags.map(({ topic, oldestSeconds }) => [topic, oldestSeconds])),
      }
    },
  })

/** Counts published and received events by name. */
export function countMessages({ registry }: Metrics) {
  const published = new Counter({
    name: 'nifty_events_published_total',
    help: 'Published events, repeated publications included',
    labelNames: ['event'],
    registers: [registry],
  })
  const received = new Counter({
    name: 'nifty_events_received_total',
    help: 'Received events by outcome',
    labelNames: ['event', 'outcome'],
    registers: [registry],
  })
  return {
    sending: (transport: Transport): Pick<Transport, 'publish'> => ({
      publish: async (messages) => {
        await transport.publish(messages)
        for (const { name } of messages) published.inc({ event: name })
      },
    }),
    // Names of others' events are not counted one by one: their number has no limit.
    received: ({ name }: Message, outcome: Outcome) =>
      received.inc({ event: outcome === 'unknown_name' || outcome === 'foreign_topic' ? 'unknown' : name, outcome }),
  }
}
