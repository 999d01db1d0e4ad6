import type { connectCluster } from '@nifty/testkit/cluster'
import { waitUntil } from '@nifty/testkit/wait-until'
import { Kafka, logLevel } from 'kafkajs'
import { nameInStore } from './databases.ts'

const TIMEOUTS = { timeoutMs: 300_000, intervalMs: 250 }

/** Deletes the topic of a service, and waits until there is a new one. `meanwhile` runs after the deletion. */
export async function deleteTopic(
  cluster: ReturnType<typeof connectCluster>,
  service: string,
  meanwhile = async () => {},
) {
  const topic = nameInStore(service)
  const admin = new Kafka({ brokers: [await cluster.brokers()], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  await admin.deleteTopics({ topics: [topic] })
  await meanwhile()
  await waitUntil(async () => (await admin.listTopics()).includes(topic), TIMEOUTS)
  await admin.disconnect()
}
