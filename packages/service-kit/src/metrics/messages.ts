import { type Kysely, sql } from 'kysely'
import { Counter } from 'prom-client'
import type { MeasuredTransport, Message, Transport } from '../messaging/transport.ts'
import { collector, type Metrics } from './metrics.ts'

/** A count beyond this says nothing more; counting further would cost more than it tells. */
const COUNT_TO = 10_000

/** What waits in a service's own database: said and not sent, heard and not handled. Ages are seconds. */
export const messagesCollector = (db: Kysely<any>) =>
  collector({
    source: 'messages',
    metrics: {
      nifty_outbox_messages: { help: `Events that wait to be sent, counted to ${COUNT_TO}` },
      nifty_outbox_oldest_seconds: { help: 'Age of the oldest event that waits to be sent' },
      nifty_retry_messages: { help: `Events whose handler failed, counted to ${COUNT_TO}`, label: 'state' },
      nifty_retry_oldest_seconds: { help: 'Age of the oldest parked event', label: 'state' },
    },
    read: async () => {
      const { rows } = await sql<Record<string, number | null>>`
        select
          (select count(*) from (select from outbox where published_at is null limit ${COUNT_TO}) o) as outbox,
          (select extract(epoch from clock_timestamp() - created_at)::float8 from outbox
            where published_at is null order by seq limit 1) as outbox_oldest,
          (select count(*) from (select from parked_event where given_up_at is null limit ${COUNT_TO}) w) as waiting,
          (select extract(epoch from clock_timestamp() - parked_at)::float8 from parked_event
            where given_up_at is null order by parked_at limit 1) as waiting_oldest,
          (select count(*) from (select from parked_event where given_up_at is not null limit ${COUNT_TO}) g) as given_up,
          (select extract(epoch from clock_timestamp() - given_up_at)::float8 from parked_event
            where given_up_at is not null order by given_up_at limit 1) as given_up_oldest`.execute(db)
      const found = rows[0]!
      return {
        nifty_outbox_messages: found.outbox!,
        nifty_outbox_oldest_seconds: found.outboxOldest ?? 0,
        nifty_retry_messages: { waiting: found.waiting!, dead_letter: found.givenUp! },
        nifty_retry_oldest_seconds: { waiting: found.waitingOldest ?? 0, dead_letter: found.givenUpOldest ?? 0 },
      }
    },
  })

/** What a group has not dealt with yet, by topic. The names are the same whatever carries the events. */
export const lagCollector = (transport: MeasuredTransport, group: string) =>
  collector({
    source: 'transport',
    metrics: {
      nifty_consumer_lag_messages: { help: 'Events that were sent and are not dealt with yet', label: 'topic' },
      nifty_consumer_lag_seconds: { help: 'Age of the oldest event that is not dealt with yet', label: 'topic' },
    },
    read: async () => {
      const lags = (await transport.lag()).filter((lag) => lag.group === group)
      return {
        nifty_consumer_lag_messages: Object.fromEntries(lags.map(({ topic, messages }) => [topic, messages])),
        nifty_consumer_lag_seconds: Object.fromEntries(lags.map(({ topic, oldestSeconds }) => [topic, oldestSeconds])),
      }
    },
  })

/** Counts what a service says and hears, by the event's name. */
export function countMessages({ registry }: Metrics) {
  const published = new Counter({
    name: 'nifty_events_published_total',
    help: 'Events that were sent, once or more often',
    labelNames: ['event'],
    registers: [registry],
  })
  const received = new Counter({
    name: 'nifty_events_received_total',
    help: 'Events that arrived, by what became of them',
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
    received: ({ name }: Message, outcome: 'handled' | 'parked') => received.inc({ event: name, outcome }),
  }
}
