import type { Log } from '../logs.ts'
import { readAge } from './kafka/age.ts'
import { connectKafka } from './kafka/client.ts'
import { startMember } from './kafka/member.ts'
import { readPositions } from './kafka/positions.ts'
import { createPublisher } from './kafka/publisher.ts'
import type { KafkaSettings } from './kafka/settings.ts'
import { createTopicKeeper } from './kafka/topics.ts'
import { startWatchdog } from './kafka/watchdog.ts'
import type { Lag, MeasuredTransport } from './transport.ts'

/**
 * The transport over Kafka. It starts without a reachable broker, and connects when there is one. `onStalled` is called
 * for a consumer that makes no progress; the process cannot recover from that and should exit.
 */
export function createKafkaTransport({
  settings,
  clientId,
  log,
  onStalled,
}: {
  settings: KafkaSettings
  clientId: string
  log: Log
  onStalled: (error: Error) => void
}): MeasuredTransport {
  const { sessionTimeoutMs, stalledAfterMs } = settings
  const kafka = connectKafka(settings, { clientId, log })
  const topicKeeper = createTopicKeeper(kafka, settings.topics)
  const publisher = createPublisher(kafka, topicKeeper)
  const running = new Set<{ group: string; topics: string[]; stop: () => Promise<void> }>()

  return {
    publish: publisher.publish,
    subscribe: async (subscriber) => {
      const { group, topics } = subscriber
      const member = startMember({ kafka, log, sessionTimeoutMs, topicKeeper }, subscriber)
      const watchdog = startWatchdog({
        member,
        read: () => readPositions(kafka, member),
        stalledAfterMs,
        onStalled,
        log,
      })
      const stop = async () => {
        running.delete(subscription)
        await Promise.all([member.stop(), watchdog.stop()])
      }
      const subscription = { group, topics, stop }
      running.add(subscription)
      return subscription
    },
    lag: async () => {
      const lags = await Promise.all(
        [...running].map(async ({ group, topics }) => {
          const positions = await readPositions(kafka, { group, topics })
          return Promise.all(
            topics.map(async (topic): Promise<Lag> => {
              const waiting = positions.flatMap((position) => (position.topic === topic ? [position.waiting] : []))
              const messages = waiting.reduce((sum, count) => sum + count, 0)
              return { group, topic, messages, oldestSeconds: await readAge(kafka, topic, positions) }
            }),
          )
        }),
      )
      return lags.flat()
    },
    stop: async () => {
      await Promise.all([...running].map((subscription) => subscription.stop()))
      await publisher.stop()
    },
  }
}
