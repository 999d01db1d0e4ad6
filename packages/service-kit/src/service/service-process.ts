import { internalUrlVariable, type ServiceName, servicesCalledBy } from '@nifty/api/services'
import { Type } from 'typebox'
import { parseEnv, RateLimitFactor, ServiceUrl } from '../base/env.ts'
import { createLog } from '../base/logs.ts'
import { openTraces } from '../base/open-traces.ts'
import { ForeignResource, ResourcePrefix, resourceName, StoreId } from '../base/resources.ts'
import { databaseUrl } from '../database/database.ts'
import { grantRows, roleOf } from '../database/database-roles.ts'
import { UnsuitablePooler } from '../database/pooler.ts'
import { parseOperators } from '../http/operator-token.ts'
import { readServiceKeys } from '../http/service-keys.ts'
import { TlsFile, tlsFiles } from '../http/tls.ts'
import type { Service } from './define-service.ts'
import { openTransport } from './open-transport.ts'
import { prepareDatabase } from './service.ts'

const Env = Type.Object({
  HOST: Type.String({ default: '0.0.0.0' }),
  PORT: Type.Integer({ default: 3000 }),
  INTERNAL_PORT: Type.Integer({ default: 3100 }),
  /** PEM files with which both ports serve HTTPS; absent: HTTP. */
  TLS_CERT_FILE: Type.Optional(TlsFile),
  TLS_KEY_FILE: Type.Optional(TlsFile),
  /** Names and public keys of operators, `ada=MCowBQ…`, separated by commas. */
  OPERATORS: Type.String({ default: '' }),
  /** A server; the database that it names is replaced by the service's own, see `resourceName`. */
  POSTGRES_URL: Type.String({ minLength: 1 }),
  /** In place of the password in `POSTGRES_URL`, and without its encoding. */
  POSTGRES_PASSWORD: Type.Optional(Type.String({ minLength: 1 })),
  /**
   * A pooler in transaction mode before that server, with the same role and password, such as PgBouncer from 1.21 on.
   * Transactions go through it; locks, LISTEN, migrations and what waits for the card processor do not.
   */
  POSTGRES_POOLER_URL: Type.Optional(Type.String({ minLength: 1 })),
  STORE_ID: StoreId,
  RESOURCE_PREFIX: ResourcePrefix,
  LOG_LEVEL: Type.String({ default: 'info' }),
  RATE_LIMIT_FACTOR: RateLimitFactor,
  /** Drain period after SIGTERM: above 5 seconds, no client notices the shutdown. */
  DRAIN_SECONDS: Type.Integer({ default: 0, minimum: 0, maximum: 300 }),
})

const MigrationEnv = Type.Object({
  ...Type.Pick(Env, ['POSTGRES_URL', 'POSTGRES_PASSWORD', 'STORE_ID', 'RESOURCE_PREFIX', 'LOG_LEVEL']).properties,
  /** The owner of the database. It grants the role of `POSTGRES_URL` what the service needs: rows, and no structure. */
  POSTGRES_OWNER_URL: Type.Optional(Type.String({ minLength: 1 })),
  POSTGRES_OWNER_PASSWORD: Type.Optional(Type.String({ minLength: 1 })),
})

/** Time that running requests have after SIGTERM, in addition to the drain period. */
const STOP_TIMEOUT_MS = 20_000

/**
 * Runs one service as its own process: the whole of its `main.ts`. With the argument `migrate` it only applies pending
 * migrations and exits. A service whose role owns the database applies them at its start as well; applied before a
 * release, a migration that fails leaves every process of the previous version running.
 */
export async function runServiceProcess(service: Service) {
  try {
    if (process.argv[2] === 'migrate') await migrateDatabase(service)
    else await serve(service)
  } catch (error) {
    if (!(error instanceof ForeignResource || error instanceof UnsuitablePooler)) throw error
    createLog({ name: service.name, level: 'fatal' }).fatal(error.message)
    process.exit(1)
  }
}

async function migrateDatabase({ name, migrations }: Service) {
  const env = parseEnv(MigrationEnv, process.env)
  const log = createLog({ name, level: env.LOG_LEVEL })
  const { POSTGRES_OWNER_URL: ownerUrl, POSTGRES_OWNER_PASSWORD: ownerPassword } = env
  const [server, password] = ownerUrl ? [ownerUrl, ownerPassword] : [env.POSTGRES_URL, env.POSTGRES_PASSWORD]
  const url = databaseUrl(server, resourceName(env.RESOURCE_PREFIX, name), password)
  const db = await prepareDatabase({ databaseUrl: url, storeId: env.STORE_ID, log }, migrations)
  try {
    if (ownerUrl) await grantRows(db, roleOf(env.POSTGRES_URL))
  } finally {
    await db.destroy()
  }
  log.info('migrations: the database is up to date')
}

async function serve(service: Service) {
  const { name } = service
  const env = parseEnv(Env, process.env)
  const config = service.readConfig(process.env)
  const log = createLog({ name, level: env.LOG_LEVEL })
  const traces = await openTraces(process.env, log)
  const resources = { storeId: env.STORE_ID, prefix: env.RESOURCE_PREFIX }
  const urlOf = (server: string, database: string) =>
    databaseUrl(server, resourceName(resources.prefix, database), env.POSTGRES_PASSWORD)
  const localUrl = urlOf(env.POSTGRES_URL, 'transport')
  const transport = await openTransport(process.env, { name, localUrl, resources, log })
  const context = {
    databaseUrl: urlOf(env.POSTGRES_URL, name),
    poolerUrl: env.POSTGRES_POOLER_URL && urlOf(env.POSTGRES_POOLER_URL, name),
    storeId: env.STORE_ID,
    transport,
    log,
    keys: readServiceKeys(name, process.env),
    operators: parseOperators(env.OPERATORS),
    internalListen: { host: env.HOST, port: env.INTERNAL_PORT },
    peerUrls: readPeerUrls(name, process.env),
    drainSeconds: env.DRAIN_SECONDS,
    rateLimitFactor: env.RATE_LIMIT_FACTOR,
    tls: tlsFiles(env),
  }
  const running = await service.start(context, config)
  await running.app.listen({ host: env.HOST, port: env.PORT })

  stopOnSignal(async () => {
    await running.stop()
    await transport.stop()
    await traces.stop()
  }, env.DRAIN_SECONDS)
}

/** Addresses of the services that this one calls, from variables such as `AUTH_INTERNAL_URL`. */
function readPeerUrls(name: ServiceName, env: NodeJS.ProcessEnv) {
  const peers = servicesCalledBy(name)
  const Peers = Type.Object(Object.fromEntries(peers.map((peer) => [internalUrlVariable(peer), ServiceUrl])))
  const urls = parseEnv(Peers, env) as Record<string, string>
  return Object.fromEntries(peers.map((peer) => [peer, urls[internalUrlVariable(peer)]!]))
}

/** SIGTERM and SIGINT stop in order; a stop that takes too long is ended, because SIGKILL at any point is safe too. */
export function stopOnSignal(stop: () => Promise<void>, drainSeconds: number) {
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      setTimeout(() => process.exit(1), drainSeconds * 1_000 + STOP_TIMEOUT_MS).unref()
      stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
}
