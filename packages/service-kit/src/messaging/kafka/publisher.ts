import { type Kafka, Partitioners, type Producer } from 'kafkajs'
import type { Message } from '../message.ts'
import { toRecord } from './envelope.ts'
import type { TopicKeeper } from './topics.ts'

/** Well below the broker's default limit for a batch (1 MB). */
const MAX_BATCH_BYTES = 400_000
const ALL_IN_SYNC = -1

/**
 * Publishes in the given order, acknowledged by all in-sync replicas. After a failed request the producer is replaced:
 * the broker may have stored it, and would reject the next request with the same sequence number as a duplicate.
 */
export function createPublisher(kafka: Kafka, topicKeeper: TopicKeeper) {
  let current: Promise<Producer> | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function open() {
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
    })
    await producer.connect()
    return producer
  }

  async function close() {
    const producer = await current?.catch(() => undefined)
    current = undefined
    await producer?.disconnect().catch(() => {})
  }

  async function send(messages: Message[]) {
    await topicKeeper.prepare([...new Set(messages.map(({ topic }) => topic))])
    try {
      current ??= open()
      const producer = await current
      for (const batch of inBatches(messages)) {
        const byTopic = Map.groupBy(batch, ({ topic }) => topic)
        await producer.sendBatch({
          acks: ALL_IN_SYNC,
          topicMessages: [...byTopic].map(([topic, ofTopic]) => ({ topic, messages: ofTopic.map(toRecord) })),
        })
      }
    } catch (error) {
      topicKeeper.forget(error)
      await close()
      throw error
    }
  }

  return {
    /** Calls are serialised, which keeps the order across calls. */
    publish: (messages: Message[]) => {
      if (messages.length === 0) return Promise.resolve()
      const sent = last.then(() => send(messages))
      last = sent.catch(() => {})
      return sent
    },
    stop: close,
  }
}

function* inBatches(messages: Message[]) {
  let batch: Message[] = []
  let bytes = 0
  for (const message of messages) {
    const size = Buffer.byteLength(JSON.stringify(message))
    if (batch.length > 0 && bytes + size > MAX_BATCH_BYTES) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(message)
    bytes += size
  }
  if (batch.length > 0) yield batch
}
