import { randomUUID } from 'node:crypto'
import { serviceNames } from '@nifty/api/services'
import { Kafka, logLevel } from 'kafkajs'
import { nameInStore } from '../campaign/databases.ts'

/** A stored message; `id` is the event's. */
export type TopicRecord = {
  topic: string
  partition: number
  offset: number
  key: string
  value: string
  headers: Record<string, string>
}

type Topics = { brokers: string; topics: string[] }

const connect = (brokers: string) =>
  new Kafka({ clientId: 'storm', brokers: brokers.split(','), logLevel: logLevel.NOTHING })

/** Every message of these topics, in the order of each partition. */
export async function readTopics({ brokers, topics }: Topics): Promise<TopicRecord[]> {
  const kafka = connect(brokers)
  const admin = kafka.admin()
  await admin.connect()
  const ends = new Map<string, number>()
  const existing = new Set(await admin.listTopics())
  const wanted = topics.filter((topic) => existing.has(topic))
  for (const topic of wanted)
    for (const { partition, high, low } of await admin.fetchTopicOffsets(topic))
      if (Number(high) > Number(low)) ends.set(`${topic}/${partition}`, Number(high))
  const groupId = `storm-${randomUUID()}`
  const records: TopicRecord[] = []
  const consumer = kafka.consumer({ groupId })
  await consumer.connect()
  await consumer.subscribe({ topics: wanted, fromBeginning: true })
  const complete = Promise.withResolvers<void>()
  if (ends.size === 0) complete.resolve()
  await consumer.run({
    eachMessage: async ({ topic, partition, message }) => {
      const offset = Number(message.offset)
      const headers = Object.fromEntries(
        Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]),
      )
      records.push({ topic, partition, offset, key: String(message.key), value: String(message.value), headers })
      const place = `${topic}/${partition}`
      if (offset + 1 >= (ends.get(place) ?? 0)) ends.delete(place)
      if (ends.size === 0) complete.resolve()
    },
  })
  await complete.promise
  await consumer.disconnect()
  await admin.deleteGroups([groupId]).catch(() => {})
  await admin.disconnect()
  return records
}

/** Messages that the services' consumer groups have not acknowledged. */
export async function readLag({ brokers, topics }: Topics): Promise<number> {
  const admin = connect(brokers).admin()
  await admin.connect()
  try {
    const groups = new Set((await admin.listGroups()).groups.map(({ groupId }) => groupId))
    let lag = 0
    for (const group of serviceNames.map(nameInStore).filter((name) => groups.has(name))) {
      for (const { topic, partitions } of await admin.fetchOffsets({ groupId: group })) {
        if (!topics.includes(topic)) continue
        for (const { partition, high } of await admin.fetchTopicOffsets(topic)) {
          const offset = Number(partitions.find((each) => each.partition === partition)?.offset ?? -1)
          // -1: the group has not committed any offset of this partition.
          if (offset >= 0) lag += Math.max(0, Number(high) - offset)
        }
      }
    }
    return lag
  } finally {
    await admin.disconnect()
  }
}

/** Stores every message once more, with the same ids. */
export async function repeatTopics({ brokers, records }: { brokers: string; records: TopicRecord[] }) {
  const producer = connect(brokers).producer()
  await producer.connect()
  const byTopic = Map.groupBy(records, ({ topic }) => topic)
  for (const [topic, ofTopic] of byTopic)
    for (let from = 0; from < ofTopic.length; from += 200)
      await producer.send({
        topic,
        acks: -1,
        messages: ofTopic.slice(from, from + 200).map(({ key, value, headers }) => ({ key, value, headers })),
      })
  await producer.disconnect()
}
