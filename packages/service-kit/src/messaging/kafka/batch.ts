import { setTimeout as sleep } from 'node:timers/promises'
import type { EachBatchPayload } from 'kafkajs'
import { type Log, withContext } from '../../base/logs.ts'
import type { Message } from '../message.ts'
import type { Subscriber } from '../transport.ts'
import { fromRecord } from './envelope.ts'

/** Offsets are committed after so many messages: the most that are redelivered per partition after a kill. */
const CHUNK = 100
const CONCURRENT_KEYS = 4
const POLL_MS = 100

/** Delay before a message is handled again, in ms. */
const pauseAfter = (attempts: number) => Math.min(100 * 2 ** attempts, 5_000)

export type Reader = Pick<Subscriber, 'group' | 'handle'> & {
  log: Log
  heartbeatMs: number
  /** Called after each attempt to handle a message. */
  onProgress: () => void
}

/**
 * Handles a batch of one partition: different keys concurrently, each key in order. The offset moves only past messages
 * that were stored. Retries messages that fail to persist, sending heartbeats meanwhile, until the partition is
 * revoked.
 */
export async function readBatch(payload: EachBatchPayload, reader: Reader): Promise<void> {
  const { batch, isRunning, isStale, resolveOffset, commitOffsetsIfNecessary, uncommittedOffsets } = payload
  const heartbeats = startHeartbeats(payload.heartbeat, reader.heartbeatMs)
  const isOver = () => !isRunning() || isStale() || heartbeats.lost() !== undefined
  try {
    for (let start = 0; start < batch.messages.length && !isOver(); start += CHUNK) {
      const records = batch.messages.slice(start, start + CHUNK)
      const messages = records.flatMap((record) => {
        const message = fromRecord(batch.topic, record)
        if (!message) reader.log.error(positionOf(batch, record.offset), 'kafka: record has no valid envelope, skipped')
        return message ?? []
      })
      if (!(await handleAll(messages, reader, isOver))) break
      resolveOffset(records.at(-1)!.offset)
      await commitOffsetsIfNecessary(uncommittedOffsets())
    }
  } finally {
    heartbeats.stop()
  }
  const lost = heartbeats.lost()
  if (lost) throw lost
}

const positionOf = ({ topic, partition }: { topic: string; partition: number }, offset: string) => ({
  topic,
  partition,
  offset,
})

/** True if all messages were stored. */
async function handleAll(messages: Message[], reader: Reader, isOver: () => boolean): Promise<boolean> {
  const queues = [...Map.groupBy(messages, ({ key }) => key).values()]
  let stored = true
  const work = async () => {
    for (let queue = queues.shift(); queue; queue = queues.shift())
      for (const message of queue) {
        if (!(await handleUntilStored(message, reader, isOver))) stored = false
        if (!stored) return
      }
  }
  await Promise.all(Array.from({ length: CONCURRENT_KEYS }, work))
  return stored
}

async function handleUntilStored(message: Message, { group, handle, log, onProgress }: Reader, isOver: () => boolean) {
  for (let attempts = 1; !isOver(); attempts++) {
    try {
      await withContext({ correlationId: message.correlationId ?? message.id }, () => handle(message))
      return true
    } catch (error) {
      log.warn(
        { err: error, group, event: message.name, messageId: message.id, attempts },
        'event could not be stored, retrying',
      )
    } finally {
      onProgress()
    }
    const until = performance.now() + pauseAfter(attempts)
    while (!isOver() && performance.now() < until) await sleep(POLL_MS)
  }
  return false
}

/** Sends heartbeats while messages are handled. A rejected one means that the group rebalances. */
function startHeartbeats(heartbeat: () => Promise<void>, everyMs: number) {
  let lost: unknown
  const timer = setInterval(() => {
    heartbeat().catch((error: unknown) => {
      lost ??= error
    })
  }, everyMs)
  return { lost: () => lost, stop: () => clearInterval(timer) }
}
