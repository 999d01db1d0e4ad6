import { resolve } from 'node:path'
import { parseEnv, withoutTrailingSlash } from '@nifty/service-kit/base/env'
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

export type Settings = ReturnType<typeof readSettings>

/**
 * The launcher's own settings. A dependency whose variable is unset is started by the launcher. All other variables are
 * passed on to the services.
 */
export function readSettings(env: NodeJS.ProcessEnv, argv: string[]) {
  const values = parseEnv(Env, env)
  const unknown = argv.filter((argument) => argument !== '--fresh')
  if (unknown.length > 0)
    throw new Error(`Unknown argument ${unknown[0]}. Known: --fresh (start over with an empty store)`)
  return {
    port: values.PORT,
    publicUrl: withoutTrailingSlash(values.PUBLIC_URL ?? `http://localhost:${values.PORT}`),
    dataDir: resolve(values.NIFTY_HOME),
    logLevel: values.LOG_LEVEL,
    demoWorks: values.DEMO_WORKS,
    fresh: argv.includes('--fresh'),
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
