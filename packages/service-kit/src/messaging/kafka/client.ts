import { type Admin, Kafka, type LogEntry, logLevel, type RetryOptions, type SASLOptions } from 'kafkajs'
import type { Log } from '../../base/logs.ts'
import { tokenProvider } from './oauth.ts'
import type { KafkaSettings } from './settings.ts'

const backOff: RetryOptions = { initialRetryTime: 100, maxRetryTime: 2_000 }
const ADMIN_RETRIES = 5

const CONNECTION_TIMEOUT_MS = 5_000

/**
 * The client. It logs to the service's log, errors as warnings, because the client retries them; those of single
 * requests at debug: an outage has thousands, and what fails because of them is logged by its caller.
 */
export const connectKafka = (
  { brokers, ssl, login, retries }: KafkaSettings,
  { clientId, log }: { clientId: string; log: Log },
) =>
  new Kafka({
    clientId,
    brokers,
    ssl,
    sasl: saslOf(login),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    retry: { ...backOff, retries },
    logLevel: logLevel.INFO,
    logCreator: () => (entry) => writeLog(log, entry),
  })

function saslOf(login: KafkaSettings['login']): SASLOptions | undefined {
  if (login?.mechanism !== 'oauthbearer') return login as SASLOptions | undefined
  return { mechanism: 'oauthbearer', oauthBearerProvider: tokenProvider(login) }
}

const levels = {
  [logLevel.ERROR]: 'warn',
  [logLevel.WARN]: 'info',
  [logLevel.INFO]: 'debug',
  [logLevel.DEBUG]: 'trace',
  [logLevel.NOTHING]: 'trace',
} as const

function writeLog(log: Log, { level, namespace, log: { message, timestamp: _, logger: __, ...fields } }: LogEntry) {
  // Nested, because one of the client's fields is called correlationId as well.
  log[namespace === 'Connection' ? 'debug' : levels[level]]({ kafka: { namespace, ...fields } }, message)
}

/** Runs a request on an admin connection of its own; it fails if the cluster cannot be reached. */
export async function asAdmin<Result>(kafka: Kafka, request: (admin: Admin) => Promise<Result>): Promise<Result> {
  const admin = kafka.admin({ retry: { retries: ADMIN_RETRIES } })
  await admin.connect()
  try {
    return await request(admin)
  } finally {
    await admin.disconnect()
  }
}
