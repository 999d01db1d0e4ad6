import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv, withoutTrailingSlash } from '@nifty/service-kit/base/env'
import { refuseIncompleteStore } from '@nifty/service-kit/base/live-key'
import { ResourcePrefix, StoreId } from '@nifty/service-kit/base/resources'
import { Type } from 'typebox'

const Env = Type.Object({
  PORT: Type.Integer({ default: 8080, minimum: 1, maximum: 65_535 }),
  PUBLIC_URL: Type.Optional(Type.String()),
  NIFTY_HOME: Type.String({ default: '.nifty' }),
  LOG_LEVEL: Type.String({ default: 'info' }),
  /** Number of demo works; tests use a dozen. */
  DEMO_WORKS: Type.Integer({ default: 240, minimum: 0 }),
  POSTGRES_URL: Type.Optional(Type.String()),
  STORE_ID: Type.Optional(StoreId),
  RESOURCE_PREFIX: ResourcePrefix,
  STRIPE_SECRET_KEY: Type.Optional(Type.String()),
  CHAIN_RPC_URL: Type.Optional(Type.String()),
  /** Time between two blocks of the local chain. */
  CHAIN_BLOCK_MS: Type.Integer({ default: 1_000, minimum: 100 }),
  SMTP_URL: Type.Optional(Type.String()),
  KAFKA_BROKERS: Type.Optional(Type.String()),
  REDIS_URL: Type.Optional(Type.String()),
  /** Processes per service in `pnpm cluster`. */
  REPLICAS: Type.Integer({ default: 1, minimum: 1, maximum: 9 }),
})

/** Progress of the demo, in the data directory: there only where demo accounts were created. */
export const DEMO_FILE = 'demo.json'

export type Settings = ReturnType<typeof readSettings>

/**
 * The launcher's own settings. A dependency whose variable is unset is started by the launcher. All other variables are
 * passed on to the services. Throws for
 * a live key of the processor beside settings that are missing or made for development.
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
    env,
  }
}
