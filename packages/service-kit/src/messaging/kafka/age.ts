import type { Kafka } from 'kafkajs'
import { asAdmin } from './client.ts'
import type { Position } from './positions.ts'

/** 2^21 seconds are longer than any retention. */
const MAX_POWER = 21

/**
 * Age of the oldest message of a topic that the group has not handled, in seconds, rounded down to a power of two.
 * Kafka has no query for a record's timestamp, only for the offset at a timestamp, hence the binary search.
 */
export function readAge(kafka: Kafka, topic: string, positions: Position[]): Promise<number> {
  const waiting = positions.filter((position) => position.topic === topic && position.waiting > 0)
  if (waiting.length === 0) return Promise.resolve(0)
  const now = Date.now()
  return asAdmin(kafka, async (admin) => {
    const isAnyOlderThan = async (seconds: number) => {
      const starts = await admin.fetchTopicOffsetsByTimestamp(topic, now - seconds * 1_000)
      return waiting.some(({ partition, next }) =>
        starts.some((start) => start.partition === partition && BigInt(start.offset) > BigInt(next)),
      )
    }
    let [low, high] = [-1, MAX_POWER]
    while (low < high) {
      const power = Math.ceil((low + high) / 2)
      if (await isAnyOlderThan(2 ** power)) low = power
      else high = power - 1
    }
    return low < 0 ? 0 : 2 ** low
  })
}
