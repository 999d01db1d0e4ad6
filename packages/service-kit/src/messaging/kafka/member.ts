import { setTimeout as sleep } from 'node:timers/promises'
import type { Kafka } from 'kafkajs'
import { createWakeSignal } from '../../bell.ts'
import type { Log } from '../../logs.ts'
import type { Subscriber } from '../transport.ts'
import { readBatch } from './batch.ts'
import { patience } from './client.ts'

const PARTITIONS_AT_ONCE = 2
const MAX_WAIT_MS = 500
const MAX_HEARTBEAT_MS = 1_000
const REBALANCE_WITHIN_MS = 30_000
const AGAIN_AFTER_MS = 1_000
const STOP_WITHIN_MS = 10_000

/** What a member of a group knows of itself. */
export type MemberState = {
  /** Its partitions by topic; undefined while it is not in the group. */
  partitions: Record<string, number[]> | undefined
  /** When it last finished a message or joined, on the clock of `performance.now()`. */
  lastSignOfLife: number
}

/**
 * A member of a group, from now until stopped. Whatever ends the client's consumer, a new one takes its place: the
 * client itself gives up at errors that it does not know.
 */
export function startMember(
  deps: {
    kafka: Kafka
    log: Log
    sessionTimeoutMs: number
    prepareTopics: (topics: string[]) => Promise<void>
  },
  { group, topics, handle }: Subscriber,
) {
  const { kafka, log, sessionTimeoutMs } = deps
  const heartbeatMs = Math.min(sessionTimeoutMs / 4, MAX_HEARTBEAT_MS)
  const state: MemberState = { partitions: undefined, lastSignOfLife: performance.now() }
  const onSignOfLife = () => {
    state.lastSignOfLife = performance.now()
  }
  const bell = createWakeSignal()
  const stopping = Promise.withResolvers<undefined>()
  let stopped = false

  async function consume() {
    await deps.prepareTopics(topics)
    const consumer = kafka.consumer({
      groupId: group,
      sessionTimeout: sessionTimeoutMs,
      heartbeatInterval: heartbeatMs,
      rebalanceTimeout: Math.max(REBALANCE_WITHIN_MS, sessionTimeoutMs),
      maxWaitTimeInMs: MAX_WAIT_MS,
      allowAutoTopicCreation: false,
      retry: { ...patience, restartOnFailure: async () => false },
    })
    const crash = new Promise<Error>((resolve) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => resolve(payload.error))
    })
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      state.partitions = payload.memberAssignment
      onSignOfLife()
    })
    try {
      await consumer.connect()
      await consumer.subscribe({ topics, fromBeginning: true })
      await consumer.run({
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
        eachBatch: (payload) => readBatch(payload, { group, handle, log, heartbeatMs, onSignOfLife }),
      })
      const error = await Promise.race([crash, stopping.promise])
      if (error) throw error
    } finally {
      state.partitions = undefined
      await consumer.disconnect().catch((error: unknown) => log.warn({ err: error, group }, 'left without a word'))
    }
  }

  const running = (async () => {
    while (!stopped) {
      try {
        await consume()
      } catch (error) {
        if (stopped) return
        log.warn({ err: error, group }, 'consumer interrupted, starting again')
        await bell.wait(AGAIN_AFTER_MS)
      }
    }
  })()

  return {
    group,
    topics,
    state: (): Readonly<MemberState> => state,
    /** Messages under way are finished. A cluster that does not answer is left without a word. */
    stop: async () => {
      stopped = true
      stopping.resolve(undefined)
      bell.ring()
      await Promise.race([running, sleep(STOP_WITHIN_MS, undefined, { ref: false })])
    },
  }
}

export type Member = ReturnType<typeof startMember>
