import type { Kafka } from 'kafkajs'
import { asAdmin } from './client.ts'
import type { TopicSettings } from './settings.ts'

const BROKERS_DEFAULT = -1
const SAFE_COPIES = 2

/**
 * Makes the topics that are missing. What exists is left as it is: another number of partitions would move keys to
 * other partitions, and break their order. Where topics are made by others, nothing but a look is asked for.
 */
export function createTopicKeeper(kafka: Kafka, { partitions, replication, retentionMs }: TopicSettings) {
  const known = new Set<string>()

  return async (topics: string[]) => {
    if (topics.every((topic) => known.has(topic))) return
    await asAdmin(kafka, async (admin) => {
      const existing = new Set(await admin.listTopics())
      const missing = topics.filter((topic) => !existing.has(topic))
      if (missing.length > 0)
        await admin.createTopics({
          waitForLeaders: true,
          topics: missing.map((topic) => ({
            topic,
            numPartitions: partitions,
            replicationFactor: replication ?? BROKERS_DEFAULT,
            configEntries: [
              { name: 'retention.ms', value: String(retentionMs) },
              // A message counts as published when a second broker has it, too.
              ...((replication ?? 1) > SAFE_COPIES
                ? [{ name: 'min.insync.replicas', value: String(SAFE_COPIES) }]
                : []),
            ],
          })),
        })
    })
    for (const topic of topics) known.add(topic)
  }
}
