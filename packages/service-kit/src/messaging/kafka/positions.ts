import type { Kafka } from 'kafkajs'
import { asAdmin } from './client.ts'

/** How far a group has come in one partition. */
export type Position = { topic: string; partition: number; next: string; waiting: number }

/** Asks the cluster how far a group has come, and how many messages wait for it. */
export const readPositions = (kafka: Kafka, { group, topics }: { group: string; topics: string[] }) =>
  asAdmin(kafka, async (admin): Promise<Position[]> => {
    const committed = await admin.fetchOffsets({ groupId: group, topics })
    const positions = await Promise.all(
      committed.map(async ({ topic, partitions }) => {
        const ends = await admin.fetchTopicOffsets(topic)
        return ends.map(({ partition, low, high }) => {
          const offset = partitions.find((each) => each.partition === partition)?.offset ?? '-1'
          // A group that never was here begins with the oldest message that is still kept.
          const next = Number(offset) < Number(low) ? low : offset
          return { topic, partition, next, waiting: Math.max(0, Number(high) - Number(next)) }
        })
      }),
    )
    return positions.flat()
  })
