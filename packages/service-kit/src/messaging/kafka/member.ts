import { setTimeout as sleep } from 'node:timers/promises'
import type { Kafka } from 'kafkajs'
import type { Log } from '../../base/logs.ts'
import { createWakeSignal } from '../../base/wake-signal.ts'
import type { Subscriber } from '../transport.ts'
import { readBatch } from './batch.ts'
import type { TopicKeeper } from './topics.ts'

const PARTITIONS_AT_ONCE = 2
/**
 * A request for messages is answered at once when there is one, and after this time when there is none. A heartbeat is
 * sent between two requests at the earliest, so this bounds how late a rebalance is noticed, and how long `stop` waits.
 */
const MAX_WAIT_MS = 2_000
const REBALANCE_TIMEOUT_MS = 30_000
const RESTART_DELAY_MS = 1_000
const STOP_TIMEOUT_MS = 10_000

/** State of one group member, for the watchdog. */
export type MemberState = {
  /** Assigned partitions by topic; undefined while it has not joined the group. */
  partitions: Record<string, number[]> | undefined
  /** When it last joined or completed a message, as `performance.now()`. */
  lastProgress: number
}

/**
 * A member of a consumer group until `stop`. A consumer that ends is replaced by a new one, because kafkajs does not
 * restart after errors that it considers fatal.
 */
export function startMember(
  deps: {
    kafka: Kafka
    log: Log
    sessionTimeoutMs: number
    topicKeeper: TopicKeeper
  },
  { group, topics, handle }: Subscriber,
) {
  const { kafka, log, sessionTimeoutMs } = deps
  const heartbeatMs = Math.min(sessionTimeoutMs / 4, MAX_WAIT_MS)
  const state: MemberState = { partitions: undefined, lastProgress: performance.now() }
  const onProgress = () => {
    state.lastProgress = performance.now()
  }
  const wakeSignal = createWakeSignal()
  const stopping = Promise.withResolvers<undefined>()
  let stopped = false

  async function consume() {
    await deps.topicKeeper.prepare(topics)
    const consumer = kafka.consumer({
      groupId: group,
      sessionTimeout: sessionTimeoutMs,
      heartbeatInterval: heartbeatMs,
      rebalanceTimeout: Math.max(REBALANCE_TIMEOUT_MS, sessionTimeoutMs),
      maxWaitTimeInMs: heartbeatMs,
      allowAutoTopicCreation: false,
      retry: { restartOnFailure: async () => false },
    })
    const crash = new Promise<Error>((resolve) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => resolve(payload.error))
    })
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      state.partitions = payload.memberAssignment
      onProgress()
    })
    try {
      await consumer.connect()
      await consumer.subscribe({ topics, fromBeginning: true })
      await consumer.run({
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
        eachBatch: (payload) => readBatch(payload, { group, handle, log, heartbeatMs, onProgress }),
      })
      const error = await Promise.race([crash, stopping.promise])
      if (error) throw error
    } finally {
      state.partitions = undefined
      await consumer
        .disconnect()
        .catch((error: unknown) =>
          log.warn(
            { err: error, group },
            'kafka: consumer could not leave its group, the broker removes it after the session timeout',
          ),
        )
    }
  }

  const running = (async () => {
    while (!stopped) {
      try {
        await consume()
      } catch (error) {
        if (stopped) return
        deps.topicKeeper.forget(error)
        log.warn({ err: error, group }, 'kafka: consumer stopped by an error, restarting in 1 s')
        await wakeSignal.wait(RESTART_DELAY_MS)
      }
    }
  })()

  return {
    group,
    topics,
    state: (): Readonly<MemberState> => state,
    /** Completes running messages. Gives up leaving the group after 10 s without a response of the broker. */
    stop: async () => {
      stopped = true
      stopping.resolve(undefined)
      wakeSignal.wake()
      await Promise.race([running, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}

export type Member = ReturnType<typeof startMember>
