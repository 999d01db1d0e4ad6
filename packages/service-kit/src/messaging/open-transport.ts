import type { Log } from '../logs.ts'
import { readKafkaSettings } from './kafka/settings.ts'
import { createLocalTransport } from './local-transport.ts'
import type { MeasuredTransport } from './transport.ts'

/** Kafka where `KAFKA_BROKERS` names one, else PostgreSQL: `localUrl` is the database in which events are carried then. */
export async function openTransport(
  env: NodeJS.ProcessEnv,
  { name, localUrl, log }: { name: string; localUrl: string; log: Log },
): Promise<MeasuredTransport> {
  const settings = readKafkaSettings(env)
  if (!settings) return createLocalTransport({ url: localUrl, log })
  const onStalled = (error: Error) => {
    log.fatal({ err: error }, 'events do not move on, ending so that another process takes over')
    process.exit(1)
  }
  // Loaded only where it is needed: the one-process store has no use for the client.
  const { createKafkaTransport } = await import('./kafka-transport.ts')
  return createKafkaTransport({ settings, clientId: `nifty-${name}`, log, onStalled })
}
