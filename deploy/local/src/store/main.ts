import { join } from 'node:path'
import { parseEnv } from '@nifty/service-kit/base/env'
import { refuseIncompleteStore } from '@nifty/service-kit/base/live-key'
import { createLog } from '@nifty/service-kit/base/logs'
import { ResourcePrefix, StoreId } from '@nifty/service-kit/base/resources'
import { stopOnSignal } from '@nifty/service-kit/service/service-process'
import { Type } from 'typebox'
import { startStore } from './store.ts'

const Env = Type.Object({
  /** Address that the gateway listens on. */
  HOST: Type.String({ default: '0.0.0.0' }),
  /** Port of the gateway. */
  PORT: Type.Integer({ default: 8080, minimum: 1, maximum: 65_535 }),
  /** The first of the internal ports: one for each service in the order of their list, then the gateway's. */
  INTERNAL_PORT: Type.Integer({ default: 3100, minimum: 1, maximum: 65_000 }),
  /** PostgreSQL 18; each service has a database on it, and events one more. */
  POSTGRES_URL: Type.String({ minLength: 1 }),
  /** The keys between the services of this process are derived from it. */
  INTERNAL_SECRET: Type.String({ minLength: 32 }),
  /** Names the store in its databases and at the processor; a start that finds another store's refuses. */
  STORE_ID: StoreId,
  /** Stands, with a hyphen, before the names of databases; for two stores on one server. */
  RESOURCE_PREFIX: ResourcePrefix,
  /** `trace`, `debug`, `info`, `warn`, `error` or `fatal`. */
  LOG_LEVEL: Type.String({ default: 'info' }),
})

/**
 * The whole store in one process on real parts only: every dependency is named by a variable, and nothing is embedded.
 * The front end is built before (`pnpm --filter @nifty/web build`). Consumers and workers start with the services.
 */
const env = parseEnv(Env, process.env)
refuseIncompleteStore(process.env)
const log = createLog({ name: 'store', level: env.LOG_LEVEL })
const { startBackground, internalUrls, stop } = await startStore({
  env: process.env,
  postgresUrl: env.POSTGRES_URL,
  resources: { storeId: env.STORE_ID, prefix: env.RESOURCE_PREFIX },
  internalSecret: env.INTERNAL_SECRET,
  host: env.HOST,
  port: env.PORT,
  internalPort: env.INTERNAL_PORT,
  log,
  webRoot: join(import.meta.dirname, '../../../../web/dist'),
})
startBackground()
stopOnSignal(stop, 0)
log.info({ port: env.PORT, internalUrls }, 'store is ready')
