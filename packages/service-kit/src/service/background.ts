import type { Kysely } from 'kysely'
import type { Log } from '../base/logs.ts'
import { inService } from '../base/trace.ts'
import { startWorker, type Worker } from '../base/worker.ts'
import { listen } from '../database/listen.ts'
import { deleteOldSecurityEvents, type SecurityEventTables } from '../http/security-event.store.ts'
import { type Jobs, workersOf } from '../jobs/jobs.ts'
import { receive, type Subscription } from '../messaging/inbox.ts'
import type { countMessages } from '../messaging/message-metrics.ts'
import { startRelay } from '../messaging/relay.ts'
import { deleteOldMessages } from '../messaging/retention.ts'
import { createRetrySearch, type RetrySearch, retryDueMessage } from '../messaging/retry-queue.ts'
import type { MessagingTables } from '../messaging/tables.ts'
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

/** The jobs of every service that consumes events. */
export const consumerJobs = {
  retry: {
    does: 'handles a message of the retry queue again; reads an empty queue every 5 s',
    work: 'retryMessage',
    everyMs: 1_000,
    retry: 'backoff, then given up',
    handler: ({ db, subscriptions, retrySearch, log }) => ({
      isDue: retrySearch.isMessageDue,
      run: () => retryDueMessage(db, subscriptions, log),
    }),
  },
} satisfies Jobs<Background & { retrySearch: RetrySearch }, MessagingTables>

/** The jobs of every service. */
export const commonJobs = {
  'old messages': {
    does: 'deletes published events and handled ids that are older than they are needed',
    everyMs: 3_600_000,
    retry: 'next interval',
    handler: ({ db }) => ({ run: () => deleteOldMessages(db) }),
  },
  'old security events': {
    does: 'deletes security events after a year',
    work: 'securityEvent',
    everyMs: 3_600_000,
    retry: 'next interval',
    handler: ({ db }) => ({ run: () => deleteOldSecurityEvents(db) }),
  },
} satisfies Jobs<Background, SecurityEventTables>

/** Starts what a service does beside its requests: the relay of its outbox, its consumer, its workers. */
export async function startBackground(service: Background) {
  const { name, db, databaseUrl, transport, messages, subscriptions, workers, log } = service
  const retrySearch = createRetrySearch(db, subscriptions)
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
            if (outcome === 'retry' || outcome === 'unknown_version') retrySearch.added()
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
  const all = [
    ...workers,
    ...workersOf(consumer ? { ...consumerJobs, ...commonJobs } : commonJobs, { ...service, retrySearch }),
  ]
  const running = all.map((worker) => ({
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
