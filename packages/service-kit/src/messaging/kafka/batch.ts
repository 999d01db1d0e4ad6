import { setTimeout as sleep } from 'node:timers/promises'
import type { EachBatchPayload } from 'kafkajs'
import { type Log, withContext } from '../../logs.ts'
import type { Message, Subscriber } from '../transport.ts'
import { open } from './envelope.ts'

/** How many messages a killed member may hand over again, at most, of each partition. */
const CHUNK = 100
const KEYS_AT_ONCE = 4
const LOOK_UP_MS = 100

/** Pause before a message is handed over again, in milliseconds. */
const pauseAfter = (attempts: number) => Math.min(100 * 2 ** attempts, 5_000)

export type Reader = Pick<Subscriber, 'group' | 'handle'> & {
  log: Log
  heartbeatMs: number
  /** Told whenever a message was handled, or could not be. */
  onSignOfLife: () => void
}

/**
 * Hands over what one partition brought: different keys side by side, one key in order. The position moves only past
 * messages that were stored. What cannot be stored is handed over again and again, and the group is told meanwhile that
 * this member lives, until others are to take over.
 */
export async function readBatch(payload: EachBatchPayload, reader: Reader): Promise<void> {
  const { batch, isRunning, isStale, resolveOffset, commitOffsetsIfNecessary, uncommittedOffsets } = payload
  const pulse = startPulse(payload.heartbeat, reader.heartbeatMs)
  const isOver = () => !isRunning() || isStale() || pulse.lost() !== undefined
  try {
    for (let start = 0; start < batch.messages.length && !isOver(); start += CHUNK) {
      const records = batch.messages.slice(start, start + CHUNK)
      const messages = records.flatMap((record) => {
        const message = open(batch.topic, record)
        if (!message) reader.log.error(whereIs(batch, record.offset), 'message is not in the agreed form, left out')
        return message ?? []
      })
      if (!(await handleAll(messages, reader, isOver))) break
      resolveOffset(records.at(-1)!.offset)
      await commitOffsetsIfNecessary(uncommittedOffsets())
    }
  } finally {
    pulse.stop()
  }
  const lost = pulse.lost()
  if (lost) throw lost
}

const whereIs = ({ topic, partition }: { topic: string; partition: number }, offset: string) => ({
  topic,
  partition,
  offset,
})

/** True once all were stored. */
async function handleAll(messages: Message[], reader: Reader, isOver: () => boolean): Promise<boolean> {
  const lanes = [...Map.groupBy(messages, ({ key }) => key).values()]
  let stored = true
  const work = async () => {
    for (let lane = lanes.shift(); lane; lane = lanes.shift())
      for (const message of lane) {
        if (!(await handleUntilStored(message, reader, isOver))) stored = false
        if (!stored) return
      }
  }
  await Promise.all(Array.from({ length: KEYS_AT_ONCE }, work))
  return stored
}

async function handleUntilStored(
  message: Message,
  { group, handle, log, onSignOfLife }: Reader,
  isOver: () => boolean,
) {
  for (let attempts = 1; !isOver(); attempts++) {
    try {
      await withContext({ correlationId: message.correlationId ?? message.id }, () => handle(message))
      return true
    } catch (error) {
      log.warn({ err: error, group, event: message.name, messageId: message.id, attempts }, 'event not stored yet')
    } finally {
      onSignOfLife()
    }
    const until = performance.now() + pauseAfter(attempts)
    while (!isOver() && performance.now() < until) await sleep(LOOK_UP_MS)
  }
  return false
}

/** Heartbeats while messages are handled. One that is refused means that the group forms anew. */
function startPulse(heartbeat: () => Promise<void>, everyMs: number) {
  let lost: unknown
  const timer = setInterval(() => {
    heartbeat().catch((error: unknown) => {
      lost ??= error
    })
  }, everyMs)
  return { lost: () => lost, stop: () => clearInterval(timer) }
}
