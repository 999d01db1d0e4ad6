import { setTimeout as sleep } from 'node:timers/promises'
import type { Admin, ITopicConfig, Kafka } from 'kafkajs'
import { ForeignResource, resourceName, type StoreResources } from '../../base/resources.ts'
import { asAdmin } from './client.ts'
import type { TopicSettings } from './settings.ts'

const BROKER_DEFAULT = -1
const SAFE_COPIES = 2
const DESCRIBE_ATTEMPTS = 50
const DESCRIBE_DELAY_MS = 200

export type TopicKeeper = {
  /** Creates those that are missing. Throws ForeignResource for topics of another store. */
  prepare: (topics: string[]) => Promise<void>
  /** Looks for all topics again: after this error of a publisher or consumer, one of them may have been deleted. */
  forget: (error: unknown) => void
}

/**
 * Creates missing topics, and one without messages whose name says which store they belong to. Existing ones stay
 * unchanged: another number of partitions would move keys to other partitions and break their order. Where all topics
 * exist, to list them is the only permission that is needed.
 */
export function createTopicKeeper(
  kafka: Kafka,
  {
    settings: { partitions, replication, retentionMs },
    resources,
    onForeign,
  }: { settings: TopicSettings; resources: StoreResources; onForeign: (error: Error) => void },
): TopicKeeper {
  const known = new Set<string>()
  const marker = resourceName(resources.prefix, `store.${resources.storeId}`)
  let wasOurs = false

  const configOf = (topic: string) => ({
    topic,
    numPartitions: topic === marker ? 1 : partitions,
    replicationFactor: replication ?? BROKER_DEFAULT,
    configEntries: [
      { name: 'retention.ms', value: String(retentionMs) },
      // A message is acknowledged once a second broker has it.
      ...((replication ?? 1) > SAFE_COPIES ? [{ name: 'min.insync.replicas', value: String(SAFE_COPIES) }] : []),
    ],
  })

  async function prepare(topics: string[]) {
    if (topics.every((topic) => known.has(topic))) return
    await asAdmin(kafka, async (admin) => {
      const existing = new Set(await admin.listTopics())
      refuseOtherMarkers(existing)
      // After it was ours, a missing marker was deleted while this process ran.
      if (!existing.has(marker) && !wasOurs) await refuseForeign(admin, existing, topics)
      const missing = [marker, ...topics].filter((topic) => !existing.has(topic))
      if (missing.length > 0) await createTopics(admin, missing.map(configOf))
    })
    wasOurs = true
    for (const topic of topics) known.add(topic)
  }

  function refuseOtherMarkers(existing: Set<string>) {
    const prefix = resourceName(resources.prefix, 'store.')
    const other = [...existing].find((topic) => topic.startsWith(prefix) && topic !== marker)
    if (other) refuse(`The topics on this Kafka belong to the store ${other.slice(prefix.length)}`)
  }

  async function refuseForeign(admin: Admin, existing: Set<string>, topics: string[]) {
    for (const topic of topics.filter((topic) => existing.has(topic)))
      if ((await admin.fetchTopicOffsets(topic)).some(({ high }) => BigInt(high) > 0n))
        refuse(`The topic ${topic} has messages, and no topic ${marker} says that they are this store's`)
  }

  function refuse(what: string) {
    const error = new ForeignResource(what, resources.storeId)
    onForeign(error)
    throw error
  }

  return {
    prepare,
    forget: (error) => {
      if (isUnknownTopic(error)) known.clear()
    },
  }
}

/** A controller confirms new topics before brokers describe them, and the client waits for a missing leader only. */
export async function createTopics(admin: Admin, topics: ITopicConfig[]): Promise<void> {
  await admin.createTopics({ waitForLeaders: false, topics })
  for (let attempt = 1; ; attempt++) {
    try {
      await admin.fetchTopicMetadata({ topics: topics.map(({ topic }) => topic) })
      return
    } catch (error) {
      if (!isUnknownTopic(error) || attempt === DESCRIBE_ATTEMPTS) throw error
      await sleep(DESCRIBE_DELAY_MS)
    }
  }
}

/** The client wraps the broker's error when it has retried it in vain. */
const isUnknownTopic = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as { type?: string }).type === 'UNKNOWN_TOPIC_OR_PARTITION' || isUnknownTopic(error.cause))
