import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv, withoutTrailingSlash } from '@nifty/service-kit/base/env'
import { ProcessorKey, refuseIncompleteStore } from '@nifty/service-kit/base/live-key'
import { ResourcePrefix, StoreId } from '@nifty/service-kit/base/resources'
import { Type } from 'typebox'

const Env = Type.Object({
  /** Port of the store. */
  PORT: Type.Integer({ default: 8080, minimum: 1, maximum: 65_535 }),
  /** Scheme, host and port of the store as browsers see it. */
  PUBLIC_URL: Type.Optional(Type.String()),
  /** Folder of data, secrets and logs. */
  NIFTY_HOME: Type.String({ default: '.nifty' }),
  /** `trace`, `debug`, `info`, `warn`, `error` or `fatal`. */
  LOG_LEVEL: Type.String({ default: 'info' }),
  /** Number of demo works; tests use a dozen. */
  DEMO_WORKS: Type.Integer({ default: 240, minimum: 0 }),
  /**
   * PostgreSQL 18; each service has a database on it, and events one more. Unset: PostgreSQL from npm, under
   * `NIFTY_HOME`.
   */
  POSTGRES_URL: Type.Optional(Type.String()),
  /**
   * Names the store in its databases and at the processor; a start that finds another store's refuses. Unset: made
   * at the first start.
   */
  STORE_ID: Type.Optional(StoreId),
  /** Stands, with a hyphen, before the names of databases, topics and consumer groups; for two stores on one server. */
  RESOURCE_PREFIX: ResourcePrefix,
  /** The processor's secret or restricted key. Unset: the card sandbox. */
  STRIPE_SECRET_KEY: Type.Optional(ProcessorKey),
  /** The chain's node. Unset: anvil, and contracts deployed at the first start. */
  CHAIN_RPC_URL: Type.Optional(Type.String()),
  /** Time between two blocks of the local chain. */
  CHAIN_BLOCK_MS: Type.Integer({ default: 1_000, minimum: 100 }),
  /**
   * Mail server, for instance `smtps://user:password@host`. With `smtp://` STARTTLS is demanded, except of loopback
   * addresses and names without a dot. Unset: the local mailbox.
   */
  SMTP_URL: Type.Optional(Type.String()),
  /** Brokers of Kafka, `host:port`, comma-separated. Unset: events go through PostgreSQL. */
  KAFKA_BROKERS: Type.Optional(Type.String()),
  /** Redis, for answers of the market and shared limits. Unset: the memory of the process. */
  REDIS_URL: Type.Optional(Type.String()),
  /** Processes per service in `pnpm cluster`. */
  REPLICAS: Type.Integer({ default: 1, minimum: 1, maximum: 9 }),
  /** In `pnpm cluster`, 1: PgBouncer before the PostgreSQL that it starts; see `dev-servers/pgbouncer.sh`. */
  POOLER: Type.Integer({ default: 0, minimum: 0, maximum: 1 }),
  /** In `pnpm cluster`, 1: pictures are in a bucket of versitygw. */
  OBJECT_STORAGE: Type.Integer({ default: 0, minimum: 0, maximum: 1 }),
})

/** Progress of the demo, in the data directory: there only where demo accounts were created. */
export const DEMO_FILE = 'demo.json'

export type Settings = ReturnType<typeof readSettings>

/**
 * The launcher's own settings. A dependency whose variable is unset is started by the launcher. All other variables are
 * passed on to the services. Throws for a live key of the processor beside settings that are missing or made for
 * development.
 */
export function readSettings(env: NodeJS.ProcessEnv, argv: string[]) {
  const values = parseEnv(Env, env)
  const unknown = argv.filter((argument) => argument !== '--fresh')
  if (unknown.length > 0)
    throw new Error(`Unknown argument ${unknown[0]}. Known: --fresh (start over with an empty store)`)
  const dataDir = resolve(values.NIFTY_HOME)
  const fresh = argv.includes('--fresh')
  const hasDemo = !fresh && existsSync(join(dataDir, DEMO_FILE))
  refuseIncompleteStore(
    env,
    hasDemo ? [`NIFTY_HOME is ${dataDir}, which has demo accounts with a published password`] : [],
  )
  return {
    port: values.PORT,
    publicUrl: withoutTrailingSlash(values.PUBLIC_URL ?? `http://localhost:${values.PORT}`),
    dataDir,
    logLevel: values.LOG_LEVEL,
    demoWorks: values.DEMO_WORKS,
    fresh,
    postgresUrl: values.POSTGRES_URL,
    storeId: values.STORE_ID,
    resourcePrefix: values.RESOURCE_PREFIX,
    stripeKey: values.STRIPE_SECRET_KEY,
    chainRpcUrl: values.CHAIN_RPC_URL,
    chainBlockMs: values.CHAIN_BLOCK_MS,
    smtpUrl: values.SMTP_URL,
    kafkaBrokers: values.KAFKA_BROKERS,
    redisUrl: values.REDIS_URL,
    replicas: values.REPLICAS,
    pooler: values.POOLER === 1,
    objectStorage: values.OBJECT_STORAGE === 1,
    env,
  }
}
