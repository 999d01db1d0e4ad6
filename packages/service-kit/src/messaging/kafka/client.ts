import { type Admin, Kafka, type LogEntry, logLevel, type RetryOptions, type SASLOptions } from 'kafkajs'
import type { Log } from '../../logs.ts'
import type { KafkaSettings } from './settings.ts'

/** About a minute, so that a broker that is replaced is waited for; whoever asked tries again afterwards. */
export const patience: RetryOptions = { retries: 30, initialRetryTime: 100, maxRetryTime: 2_000 }

const CONNECT_WITHIN_MS = 5_000

/** The client, with its words in the service's log: what it calls an error, it tries again by itself. */
export const connectKafka = (
  { brokers, ssl, login }: KafkaSettings,
  { clientId, log }: { clientId: string; log: Log },
) =>
  new Kafka({
    clientId,
    brokers,
    ssl,
    sasl: login as SASLOptions | undefined,
    connectionTimeout: CONNECT_WITHIN_MS,
    retry: patience,
    logLevel: logLevel.INFO,
    logCreator: () => (entry) => say(log, entry),
  })

const levels = {
  [logLevel.ERROR]: 'warn',
  [logLevel.WARN]: 'info',
  [logLevel.INFO]: 'debug',
  [logLevel.DEBUG]: 'trace',
  [logLevel.NOTHING]: 'trace',
} as const

function say(log: Log, { level, namespace, log: { message, timestamp: _, logger: __, ...fields } }: LogEntry) {
  // Its own fields are kept apart: one of them is called correlationId, too.
  log[levels[level]]({ kafka: { namespace, ...fields } }, message)
}

/** Asks the cluster something on a connection of its own, so that the answer says whether it can be reached at all. */
export async function asAdmin<Answer>(kafka: Kafka, ask: (admin: Admin) => Promise<Answer>): Promise<Answer> {
  const admin = kafka.admin({ retry: { ...patience, retries: 5 } })
  await admin.connect()
  try {
    return await ask(admin)
  } finally {
    await admin.disconnect()
  }
}
