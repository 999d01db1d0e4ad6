import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { parseEnv } from '../../base/env.ts'
import { MAX_RETENTION_DAYS } from '../retention.ts'

const Env = Type.Object({
  /** `host:port`, comma-separated. Unset: events go through PostgreSQL. */
  KAFKA_BROKERS: Type.Optional(Type.String({ minLength: 1 })),
  /** TLS to the brokers. */
  KAFKA_SSL: Type.Boolean({ default: false }),
  /** Certificates of a private authority that signs the brokers', in PEM; it replaces the public ones. */
  KAFKA_SSL_CA_FILE: Type.Optional(Type.String({ minLength: 1 })),
  /** `scram-sha-512`, `scram-sha-256` or `plain`. */
  KAFKA_SASL_MECHANISM: Type.Union(
    [Type.Literal('plain'), Type.Literal('scram-sha-256'), Type.Literal('scram-sha-512')],
    { default: 'scram-sha-512' },
  ),
  /** User of the brokers. */
  KAFKA_USERNAME: Type.Optional(Type.String({ minLength: 1 })),
  /** Its password. */
  KAFKA_PASSWORD: Type.Optional(Type.String({ minLength: 1 })),
  /** Of a new topic; an existing one is left as it is, since keys would move. */
  KAFKA_PARTITIONS: Type.Integer({ default: 6, minimum: 1 }),
  /** Replicas of each topic; unset: the brokers' default. */
  KAFKA_REPLICATION: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Of a new topic; at most 60. */
  KAFKA_RETENTION_DAYS: Type.Integer({ default: 14, minimum: 1, maximum: MAX_RETENTION_DAYS }),
  /** After this time the partitions of a killed member are reassigned. */
  KAFKA_SESSION_TIMEOUT_MS: Type.Integer({ default: 10_000, minimum: 1_000 }),
  /** A process with waiting messages and no progress for this time exits, and is restarted. */
  KAFKA_STALLED_AFTER_MS: Type.Integer({ default: 60_000, minimum: 1_000 }),
})

/** About a minute in all, so that the replacement of a broker is no error. */
const RETRIES = 30

export type TopicSettings = {
  partitions: number
  /** Replicas of each topic; undefined: the brokers' default. */
  replication?: number
  retentionMs: number
}

export type KafkaSettings = {
  /** `host:port` of some brokers; the others are found through them. */
  brokers: string[]
  ssl?: boolean | { ca: string }
  login?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string }
  topics: TopicSettings
  /** Of a request, with pauses of up to two seconds; callers retry afterwards. */
  retries: number
  /** A member without a heartbeat for so long is removed from its group. */
  sessionTimeoutMs: number
  /** A member with lag that completes no message for so long is stalled. */
  stalledAfterMs: number
}

const DAY_MS = 24 * 60 * 60 * 1_000

/** Settings of Kafka; undefined if no brokers are set. */
export function readKafkaSettings(env: NodeJS.ProcessEnv): KafkaSettings | undefined {
  const values = parseEnv(Env, env)
  if (!values.KAFKA_BROKERS) return undefined
  const { KAFKA_USERNAME: username, KAFKA_PASSWORD: password, KAFKA_SASL_MECHANISM: mechanism } = values
  const { KAFKA_SSL_CA_FILE: caFile } = values
  if (caFile && !values.KAFKA_SSL)
    throw new Error('Invalid environment:\n  KAFKA_SSL_CA_FILE is of no use without KAFKA_SSL=true')
  if (Boolean(username) !== Boolean(password))
    throw new Error('Invalid environment:\n  KAFKA_USERNAME and KAFKA_PASSWORD are set together or not at all')
  return {
    brokers: values.KAFKA_BROKERS.split(',').map((broker) => broker.trim()),
    ssl: values.KAFKA_SSL && caFile ? { ca: readFileSync(caFile, 'utf8') } : values.KAFKA_SSL,
    login: username && password ? { mechanism, username, password } : undefined,
    topics: {
      partitions: values.KAFKA_PARTITIONS,
      replication: values.KAFKA_REPLICATION,
      retentionMs: values.KAFKA_RETENTION_DAYS * DAY_MS,
    },
    retries: RETRIES,
    sessionTimeoutMs: values.KAFKA_SESSION_TIMEOUT_MS,
    stalledAfterMs: values.KAFKA_STALLED_AFTER_MS,
  }
}
