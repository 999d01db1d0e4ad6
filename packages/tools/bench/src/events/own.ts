import { defineEvent } from '@nifty/events/define-event'
import { createLog } from '@nifty/service-kit/base/logs'
import { databaseUrl } from '@nifty/service-kit/database/database'
import { on, receive } from '@nifty/service-kit/messaging/inbox'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { createRelay, startRelay } from '@nifty/service-kit/messaging/relay'
import { openTransport } from '@nifty/service-kit/service/open-transport'
import { prepareDatabase } from '@nifty/service-kit/service/service'
import { Type } from 'typebox'
import type { Arrived, Hop } from './hop.ts'

const counted = defineEvent({
  name: 'bench.counted.v1',
  key: 'subject',
  data: Type.Object({ subject: Type.String(), count: Type.Integer() }),
})
/** Keys, which are consumed in order each. */
const SUBJECTS = 64
const eventOf = (count: number) => ({ subject: `s${count % SUBJECTS}`, count })

/**
 * The servers, and a name for the databases and topics of one measurement. Without brokers events go through
 * PostgreSQL.
 */
export type Servers = { postgresUrl: string; brokers?: string[]; name: string }

/** This folder has no migrations of its own: the databases have the tables that every service has. */
const migrations = import.meta.dirname
const log = createLog({ name: 'bench', level: 'fatal' })

/** Two services without routes: one publishes by outbox and relay, the other consumes by its inbox. */
async function openServices({ postgresUrl, brokers, name }: Servers) {
  const urlOf = (database: string) => databaseUrl(postgresUrl, `${name}_${database}`)
  const context = { storeId: 'bench', log }
  const publisher = await prepareDatabase<any>({ ...context, databaseUrl: urlOf('publisher') }, migrations)
  const consumer = await prepareDatabase<any>({ ...context, databaseUrl: urlOf('consumer') }, migrations)
  const transport = await openTransport(brokers ? { KAFKA_BROKERS: brokers.join(',') } : {}, {
    name: 'bench',
    localUrl: urlOf('transport'),
    log,
    resources: { storeId: 'bench', prefix: name },
  })
  return {
    publisher,
    transport,
    relay: () => startRelay({ db: publisher, url: urlOf('publisher'), transport, log }),
    subscribe: (arrived: Arrived) =>
      transport.subscribe({
        group: 'bench',
        topics: [counted.topic],
        handle: async (message) => {
          await receive(consumer, [on(counted, async () => {})], message)
          arrived((message.data as { count: number }).count)
        },
      }),
    close: async () => {
      await transport.stop()
      await publisher.destroy()
      await consumer.destroy()
    },
  }
}

/** The hop of the services: outbox, relay, transport, inbox. */
export async function openOwnHop(servers: Servers, arrived: Arrived): Promise<Hop> {
  const { publisher, relay, subscribe, close } = await openServices(servers)
  const running = relay()
  const subscription = await subscribe(arrived)
  return {
    send: (count) => publisher.transaction().execute((trx) => publishEvent(trx, counted, eventOf(count))),
    stop: async () => {
      await running.stop()
      await subscription.stop()
      await close()
    },
  }
}

/** Events a second that a service handles while it has a backlog, and that the relay publishes before. */
export async function drainBacklog(servers: Servers, size: number): Promise<{ consumed: number; published: number }> {
  const { publisher, transport, subscribe, close } = await openServices(servers)
  try {
    await publisher.transaction().execute(async (trx) => {
      for (let count = 0; count < size; count++) await publishEvent(trx, counted, eventOf(count))
    })
    // Connects, and creates the topic.
    const { run } = createRelay(publisher, transport)
    const publishedFirst = await run()
    const publishing = performance.now()
    while (await run());
    const published = ((size - publishedFirst) * 1_000) / (performance.now() - publishing)

    const drained = Promise.withResolvers<void>()
    let [arrived, firstAt] = [0, 0]
    const subscription = await subscribe(() => {
      firstAt ||= performance.now()
      if (++arrived === size) drained.resolve()
    })
    await drained.promise
    const consumed = ((size - 1) * 1_000) / (performance.now() - firstAt)
    await subscription.stop()
    return { consumed, published }
  } finally {
    await close()
  }
}
