import type { Kafka } from 'kafkajs'

/** The code of the error with which the broker refuses; `allowed` without one. */
export async function attempt(request: () => Promise<unknown>): Promise<string> {
  try {
    await request()
    return 'allowed'
  } catch (error) {
    return typeOf(error)
  }
}

/** kafkajs nests the broker's error. */
function typeOf(error: unknown): string {
  const { type, cause, errors, name } = error as { type?: string; cause?: unknown; errors?: unknown[]; name?: string }
  if (type) return type
  if (errors?.length) return typeOf(errors[0])
  return cause ? typeOf(cause) : String(name)
}

export const produce = (kafka: Kafka, topic: string) => async () => {
  const producer = kafka.producer({ allowAutoTopicCreation: false })
  await producer.connect()
  await producer.send({ topic, messages: [{ key: 'k', value: 'v' }] }).finally(() => producer.disconnect())
}

/** Reads one message of a topic in a group. */
export const consume = (kafka: Kafka, groupId: string, topic: string) => async () => {
  const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, retry: { retries: 0 } })
  const outcome = Promise.withResolvers<void>()
  consumer.on(consumer.events.CRASH, ({ payload }) => outcome.reject(payload.error))
  await consumer.connect()
  try {
    await consumer.subscribe({ topics: [topic], fromBeginning: true })
    await consumer.run({ eachMessage: async () => outcome.resolve() })
    await outcome.promise
  } finally {
    await consumer.disconnect()
  }
}
