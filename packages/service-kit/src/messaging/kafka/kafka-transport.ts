import type { Log } from '../../base/logs.ts'
import { resourceName, type StoreResources } from '../../base/resources.ts'
import type { Lag, MeasuredTransport } from '../transport.ts'
import { readAge } from './age.ts'
import { connectKafka } from './client.ts'
import { startMember } from './member.ts'
import { readPositions } from './positions.ts'
import { createPublisher } from './publisher.ts'
import type { KafkaSettings } from './settings.ts'
import { createTopicKeeper } from './topics.ts'
import { startWatchdog } from './watchdog.ts'

/**
 * The transport over Kafka. It starts without a reachable broker, and connects when there is one. `onStalled` is called
 * for a consumer that makes no progress, `onForeign` when the topics belong to another store; the process cannot
 * recover from either and should exit.
 */
export function createKafkaTransport({
  settings,
  clientId,
  resources,
  log,
  onStalled,
  onForeign,
}: {
  settings: KafkaSettings
  clientId: string
  resources: StoreResources
  log: Log
  onStalled: (error: Error) => void
  onForeign: (error: Error) => void
}): MeasuredTransport {
  const { sessionTimeoutMs, stalledAfterMs } = settings
  const kafka = connectKafka(settings, { clientId, log })
  const topicKeeper = createTopicKeeper(kafka, { settings: settings.topics, resources, onForeign })
  const publisher = createPublisher(kafka, topicKeeper)
  const running = new Set<{ group: string; topics: string[]; stop: () => Promise<void> }>()

  const onCluster = (name: string) => resourceName(resources.prefix, name)

  return {
    publish: (messages) => publisher.publish(messages.map((each) => ({ ...each, topic: onCluster(each.topic) }))),
    subscribe: async ({ group, topics, handle }) => {
      const names = new Map(topics.map((topic) => [onCluster(topic), topic]))
      const member = startMember(
        { kafka, log, sessionTimeoutMs, topicKeeper },
        {
          group: onCluster(group),
          topics: [...names.keys()],
          handle: (message) => handle({ ...message, topic: names.get(message.topic)! }),
        },
      )
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
          const positions = await readPositions(kafka, { group: onCluster(group), topics: topics.map(onCluster) })
          return Promise.all(
            topics.map(async (topic): Promise<Lag> => {
              const name = onCluster(topic)
              const waiting = positions.flatMap((position) => (position.topic === name ? [position.waiting] : []))
              const messages = waiting.reduce((sum, count) => sum + count, 0)
              return { group, topic, messages, oldestSeconds: await readAge(kafka, name, positions) }
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
