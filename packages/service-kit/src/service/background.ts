import type { Kysely } from 'kysely'
import type { Log } from '../base/logs.ts'
import { inService } from '../base/trace.ts'
import { startWorker, type Worker } from '../base/worker.ts'
import { listen } from '../database/listen.ts'
import { securityEventRetention } from '../http/security-event.store.ts'
import { receive, type Subscription } from '../messaging/inbox.ts'
import type { countMessages } from '../messaging/message-metrics.ts'
import { startRelay } from '../messaging/relay.ts'
import { retentionWorker } from '../messaging/retention.ts'
import { countDueMessages, retryDueMessage } from '../messaging/retry-queue.ts'
import type { Transport } from '../messaging/transport.ts'

type Background = {
  name: string
  db: Kysely<any>
  databaseUrl: string
  transport: Transport
  messages: ReturnType<typeof countMessages>
  subscriptions: Subscription<any>[]
  workers: Worker[]
  log: Log
}

/** Starts what a service does beside its requests: the relay of its outbox, its consumer, its workers. */
export async function startBackground(service: Background) {
  const { name, db, databaseUrl, transport, messages, subscriptions, workers, log } = service
  const topics = [...new Set(subscriptions.map(({ event }) => event.topic))]
  const relay = startRelay({ db, url: databaseUrl, transport: messages.sending(transport), log })
  const consumer =
    topics.length > 0
      ? await transport.subscribe({
          group: name,
          topics,
          handle: async (message) => {
            const outcome = await inService(name, () => receive(db, subscriptions, message))
            messages.received(message, outcome)
            const about = { event: message.name, messageId: message.id, key: message.key }
            if (outcome === 'retry') log.warn(about, 'event: handler failed, message queued for retry')
            if (outcome === 'unknown_version')
              log.warn(about, 'event: version is unknown, kept as a dead letter for a release that knows it')
            if (outcome === 'foreign_topic')
              log.error({ ...about, topic: message.topic }, 'event: published to the topic of another service, refused')
            if (outcome === 'unknown_name') log.warn(about, 'event: no event of this store has this name, ignored')
          },
        })
      : undefined
  const retry: Worker = {
    name: 'retry',
    everyMs: 1_000,
    due: (atMost) => countDueMessages(db, subscriptions, atMost),
    run: () => retryDueMessage(db, subscriptions, log),
  }
  const jobs = [...workers, ...(consumer ? [retry] : []), retentionWorker(db), securityEventRetention(db)]
  const running = jobs.map((worker) => ({
    ...worker,
    ...startWorker({ ...worker, run: () => inService(name, worker.run) }, log),
  }))
  const notified = running.filter(({ isNotified }) => isNotified)
  const onNotify = (payload?: string) => {
    for (const each of notified)
      if (payload === undefined) each.wake()
      else if (payload.split(':', 1)[0] === each.name) each.report()
  }
  const notifications = notified.length > 0 ? listen({ url: databaseUrl, channel: 'work', onNotify, log }) : null

  return {
    stop: async () => {
      await consumer?.stop()
      await notifications?.stop()
      await Promise.all(running.map((worker) => worker.stop()))
      await relay.stop()
    },
  }
}
