import type { Kafka } from 'kafkajs'
import { asAdmin } from './client.ts'

/** Committed offset of a group in one partition, and the messages behind it. */
export type Position = { topic: string; partition: number; next: string; waiting: number }

/** Reads a group's committed offsets and lag from the cluster. */
export const readPositions = (kafka: Kafka, { group, topics }: { group: string; topics: string[] }) =>
  asAdmin(kafka, async (admin): Promise<Position[]> => {
    const committed = await admin.fetchOffsets({ groupId: group, topics })
    const positions = await Promise.all(
      committed.map(async ({ topic, partitions }) => {
        const ends = await admin.fetchTopicOffsets(topic)
        return ends.map(({ partition, low, high }) => {
          const offset = partitions.find((each) => each.partition === partition)?.offset ?? '-1'
          // A group without a committed offset starts at the oldest retained message.
          const next = Number(offset) < Number(low) ? low : offset
          return { topic, partition, next, waiting: Math.max(0, Number(high) - Number(next)) }
        })
      }),
    )
    return positions.flat()
  })
