import type { Log } from '../base/logs.ts'
import type { StoreResources } from '../base/resources.ts'
import { readKafkaSettings } from '../messaging/kafka/settings.ts'
import { createLocalTransport } from '../messaging/local-transport.ts'
import type { MeasuredTransport } from '../messaging/transport.ts'

/** Kafka if `KAFKA_BROKERS` is set, else the local transport on the database at `localUrl`. */
export async function openTransport(
  env: NodeJS.ProcessEnv,
  { name, localUrl, resources, log }: { name: string; localUrl: string; resources: StoreResources; log: Log },
): Promise<MeasuredTransport> {
  const settings = readKafkaSettings(env)
  if (!settings) return createLocalTransport({ url: localUrl, storeId: resources.storeId, log })
  const onStalled = (error: Error) => {
    log.fatal({ err: error }, 'kafka: consumer is stalled, exiting so that another process takes over its partitions')
    process.exit(1)
  }
  const onForeign = (error: Error) => {
    log.fatal(`kafka: ${error.message}`)
    process.exit(1)
  }
  // Loaded on demand: the one-process store does not need the client.
  const { createKafkaTransport } = await import('../messaging/kafka/kafka-transport.ts')
  return createKafkaTransport({ settings, clientId: `nifty-${name}`, resources, log, onStalled, onForeign })
}
