import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { parseEnv } from '../../base/env.ts'
import { MAX_RETENTION_DAYS } from '../retention.ts'
import type { OauthLogin } from './oauth.ts'

const Env = Type.Object({
  /** `host:port`, comma-separated. Unset: events go through PostgreSQL. */
  KAFKA_BROKERS: Type.Optional(Type.String({ minLength: 1 })),
  /** TLS to the brokers. */
  KAFKA_SSL: Type.Boolean({ default: false }),
  /** Certificates of a private authority that signs the brokers', in PEM; it replaces the public ones. */
  KAFKA_SSL_CA_FILE: Type.Optional(Type.String({ minLength: 1 })),
  /** `scram-sha-512`, `scram-sha-256`, `plain` or `oauthbearer`. */
  KAFKA_SASL_MECHANISM: Type.Union(
    [Type.Literal('plain'), Type.Literal('scram-sha-256'), Type.Literal('scram-sha-512'), Type.Literal('oauthbearer')],
    { default: 'scram-sha-512' },
  ),
  /** User of the brokers. */
  KAFKA_USERNAME: Type.Optional(Type.String({ minLength: 1 })),
  /** Its password. */
  KAFKA_PASSWORD: Type.Optional(Type.String({ minLength: 1 })),
  /** With `oauthbearer`: file with the token, such as a service account's projected one; read for each connection. */
  KAFKA_OAUTH_TOKEN_FILE: Type.Optional(Type.String({ minLength: 1 })),
  /** With `oauthbearer` and without a file: endpoint that issues tokens for the client's credentials. */
  KAFKA_OAUTH_TOKEN_URL: Type.Optional(Type.String({ pattern: '^(https://|http://(localhost|127\\.0\\.0\\.1)[:/])' })),
  /** Client at that endpoint. */
  KAFKA_OAUTH_CLIENT_ID: Type.Optional(Type.String({ minLength: 1 })),
  /** Its secret. */
  KAFKA_OAUTH_CLIENT_SECRET: Type.Optional(Type.String({ minLength: 1 })),
  /** Scopes of the token, separated by spaces. */
  KAFKA_OAUTH_SCOPE: Type.Optional(Type.String({ minLength: 1 })),
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
  login?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string } | OauthLogin
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
  const { KAFKA_SSL_CA_FILE: caFile } = values
  if (caFile && !values.KAFKA_SSL)
    throw new Error('Invalid environment:\n  KAFKA_SSL_CA_FILE is of no use without KAFKA_SSL=true')
  return {
    brokers: values.KAFKA_BROKERS.split(',').map((broker) => broker.trim()),
    ssl: values.KAFKA_SSL && caFile ? { ca: readFileSync(caFile, 'utf8') } : values.KAFKA_SSL,
    login: readLogin(values),
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

/** Throws for settings of which a part is missing or would have no effect. */
function readLogin(values: Static<typeof Env>): KafkaSettings['login'] {
  const { KAFKA_USERNAME: username, KAFKA_PASSWORD: password, KAFKA_SASL_MECHANISM: mechanism } = values
  const { KAFKA_OAUTH_TOKEN_FILE: tokenFile, KAFKA_OAUTH_TOKEN_URL: tokenUrl, KAFKA_OAUTH_SCOPE: scope } = values
  const { KAFKA_OAUTH_CLIENT_ID: clientId, KAFKA_OAUTH_CLIENT_SECRET: clientSecret } = values
  const refuse = (problem: string): never => {
    throw new Error(`Invalid environment:\n  ${problem}`)
  }
  if (mechanism !== 'oauthbearer') {
    if (tokenFile || tokenUrl || clientId || clientSecret || scope)
      refuse('KAFKA_OAUTH_… is of no use without KAFKA_SASL_MECHANISM=oauthbearer')
    if (Boolean(username) !== Boolean(password))
      refuse('KAFKA_USERNAME and KAFKA_PASSWORD are set together or not at all')
    return username && password ? { mechanism, username, password } : undefined
  }
  if (username || password) refuse('KAFKA_USERNAME and KAFKA_PASSWORD are of no use with oauthbearer')
  if (!values.KAFKA_SSL) refuse('oauthbearer needs KAFKA_SSL=true: whoever reads a token can use it')
  if (tokenFile && !tokenUrl && !clientId && !clientSecret && !scope) return { mechanism, tokenFile }
  if (!tokenFile && tokenUrl && clientId && clientSecret) return { mechanism, tokenUrl, clientId, clientSecret, scope }
  return refuse(
    'oauthbearer needs either KAFKA_OAUTH_TOKEN_FILE or KAFKA_OAUTH_TOKEN_URL, _CLIENT_ID and _CLIENT_SECRET',
  )
}
