import type { Kafka } from 'kafkajs'
import { asAdmin } from './client.ts'
import type { TopicSettings } from './settings.ts'

const BROKER_DEFAULT = -1
const SAFE_COPIES = 2

export type TopicKeeper = {
  /** Creates those that are missing. */
  prepare: (topics: string[]) => Promise<void>
  /** Looks for all topics again: after this error of a publisher or consumer, one of them may have been deleted. */
  forget: (error: unknown) => void
}

/**
 * Creates missing topics. Existing ones stay unchanged: another number of partitions would move keys to other partitions
 * and break their order. Where all topics exist, to list them is the only permission that is needed.
 */
export function createTopicKeeper(kafka: Kafka, { partitions, replication, retentionMs }: TopicSettings): TopicKeeper {
  const known = new Set<string>()

  async function prepare(topics: string[]) {
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
            replicationFactor: replication ?? BROKER_DEFAULT,
            configEntries: [
              { name: 'retention.ms', value: String(retentionMs) },
              // A message is acknowledged once a second broker has it.
              ...((replication ?? 1) > SAFE_COPIES
                ? [{ name: 'min.insync.replicas', value: String(SAFE_COPIES) }]
                : []),
            ],
          })),
        })
    })
    for (const topic of topics) known.add(topic)
  }

  return {
    prepare,
    forget: (error) => {
      if (isUnknownTopic(error)) known.clear()
    },
  }
}

/** The client wraps the broker's error when it has retried it in vain. */
const isUnknownTopic = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as { type?: string }).type === 'UNKNOWN_TOPIC_OR_PARTITION' || isUnknownTopic(error.cause))
