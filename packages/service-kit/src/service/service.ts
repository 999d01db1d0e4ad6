import { setTimeout as sleep } from 'node:timers/promises'
import { readyz } from '@nifty/api/infrastructure'
import type { ServiceName } from '@nifty/api/services'
import type { Kysely } from 'kysely'
import { unavailable } from '../base/errors.ts'
import type { Log } from '../base/logs.ts'
import { type Collector, createMetrics } from '../base/metrics.ts'
import type { Worker } from '../base/worker.ts'
import { connectionsCollector, databaseCollector } from '../database/connection-metrics.ts'
import { ensureDatabase, isRefusedByRights, migrate, openDatabase } from '../database/database.ts'
import { migrationsOf } from '../database/migrations.ts'
import { checkPooler, keepTimeOuts, refusePooler } from '../database/pooler.ts'
import { createStaleReads } from '../database/stale-reads.ts'
import { claimDatabase, refuseForeignDatabase } from '../database/store-identity.ts'
import type { App } from '../http/app.ts'
import { drainOnClose } from '../http/drain.ts'
import { operatorActionRoutes } from '../http/operator-action.routes.ts'
import type { Operators } from '../http/operator-token.ts'
import { recordSecurityEvents } from '../http/record-security-events.ts'
import { countRefusals, serveMetrics, timeRequests } from '../http/request-metrics.ts'
import { registerRoute } from '../http/routes.ts'
import { securityEventRoutes } from '../http/security-event.routes.ts'
import type { ServiceKeys } from '../http/service-keys.ts'
import { certificateCollector, type TlsFiles } from '../http/tls.ts'
import type { Subscription } from '../messaging/inbox.ts'
import { countMessages, lagCollector, messagesCollector } from '../messaging/message-metrics.ts'
import { messageRoutes } from '../messaging/messages.routes.ts'
import type { MeasuredTransport, Transport } from '../messaging/transport.ts'
import { startBackground } from './background.ts'

/** Less than the time-out of a probe. */
const PROBE_WITHIN_MS = 1_000

export type DatabaseContext = {
  databaseUrl: string
  /** A pooler in transaction mode before it, for the transactions of a running service. */
  poolerUrl?: string
  /** `STORE_ID`: a database of another store is refused. */
  storeId: string
  log: Log
}

/** What a launcher passes to every service. */
export type ServiceContext = DatabaseContext & {
  /** Opened by `prepare`; absent: the service opens it when it starts. */
  db?: Kysely<any>
  transport: Transport | MeasuredTransport
  /** Its keys to other services, and theirs to it. */
  keys: ServiceKeys
  /** Who may act as an operator on its internal port. */
  operators: Operators
  /** Address of the internal port; `port` 0 takes any free one. */
  internalListen: { host: string; port: number }
  /** Internal addresses of the services that it calls. */
  peerUrls: Partial<Record<ServiceName, string>>
  /** Seconds for which a stopping service keeps serving requests; 0 when absent. */
  drainSeconds?: number
  /** Multiplies the limits of requests by one account; 1 when absent. */
  rateLimitFactor?: number
  /** Of both ports; absent: HTTP. */
  tls?: TlsFiles
  /**
   * Relay, consumer and workers start when `after` resolves, so that a launcher of several services serves requests
   * before they take its processor time. `onFailed` is called if they cannot start. Absent: they start with the
   * service.
   */
  background?: { after: Promise<void>; onFailed: (error: unknown) => void }
}

/**
 * A running service. `app` serves the public routes: the launcher lets it listen, or passes requests to it in process.
 */
export type RunningService = { name: string; app: App; internalUrl: string; stop: () => Promise<void> }

/** What one service consists of beside its routes. */
export type ServiceComponents = {
  subscriptions?: Subscription<any>[]
  workers?: Worker[]
  /** Its own metrics, beside those that every service has. */
  collectors?: Collector[]
  /** Further connection pools to its database, by name. */
  pools?: Record<string, Kysely<any>>
  /** Stops what `create` started; called before the database connections are closed. */
  stop?: () => Promise<void>
}

/**
 * Creates the database if it is missing, applies pending migrations and opens a pool. Throws ForeignResource, with
 * nothing changed, for a database of another store, UnsuitablePooler for an address that does not serve. A role without
 * the right to create tables can only open a database in which no migration is pending.
 */
export async function prepareDatabase<Tables>(
  { databaseUrl, poolerUrl, storeId, log }: DatabaseContext,
  migrations: string,
) {
  const db = openDatabase<Tables>({ url: databaseUrl, log })
  try {
    await ensureDatabase(databaseUrl, async () => {
      await refusePooler(db)
      await refuseForeignDatabase(db, storeId)
    })
    await migrate(db, migrationsOf(migrations))
    await claimDatabase(db, storeId)
    if (!poolerUrl) return db
    await keepTimeOuts(db)
    await checkPooler(poolerUrl)
    await db.destroy()
    return openDatabase<Tables>({ url: databaseUrl, poolerUrl, log })
  } catch (error) {
    await db.destroy()
    throw isRefusedByRights(error)
      ? new Error(
          'The database lacks migrations, and this role may not apply them: run `main.ts migrate` as its owner',
          {
            cause: error,
          },
        )
      : error
  }
}

/**
 * Starts routes, relay, consumers and workers of a service. `stop` is the reverse: running requests and messages are
 * completed, then the database connections are closed.
 */
export async function runService(
  { databaseUrl, poolerUrl, transport, log, internalListen, drainSeconds = 0, background, tls }: ServiceContext,
  service: ServiceComponents & { name: string; db: Kysely<any>; app: App; internal: App },
): Promise<RunningService> {
  const { name, db, app, internal, subscriptions = [], workers = [] } = service
  const pause = () => sleep(drainSeconds * 1_000)
  const draining = drainOnClose(app, pause)
  drainOnClose(internal, pause)
  const topics = [...new Set(subscriptions.map(({ event }) => event.topic))]

  const metrics = createMetrics({ log })
  const messages = countMessages(metrics)
  const { onResponse: timing } = timeRequests(metrics)
  const recording = recordSecurityEvents({ db, log, metrics })
  for (const each of [app, internal]) {
    each.addHook('onResponse', timing)
    each.addHook('onSend', recording)
  }
  app.addHook('onResponse', countRefusals(metrics))
  // First, so that it does not count the connections that the other collectors take.
  metrics.add(connectionsCollector({ main: db, ...service.pools }))
  metrics.add(databaseCollector(poolerUrl ?? databaseUrl))
  metrics.add(certificateCollector(tls))
  metrics.add(messagesCollector(db))
  if (topics.length > 0 && 'lag' in transport) metrics.add(lagCollector(transport, name))
  for (const each of service.collectors ?? []) metrics.add(each)
  serveMetrics(internal, metrics)

  // Replicas share a database: for a minute without it they stay ready, and send what they have.
  const probe = createStaleReads<unknown>({ max: 1, withinMs: PROBE_WITHIN_MS })
  registerRoute(app, readyz, async () => {
    if (draining()) throw unavailable('draining', 'This process is shutting down.')
    await probe.get('database', () => db.selectNoFrom((eb) => eb.lit(1).as('one')).execute())
    return { ok: true as const }
  })
  internal.register(messageRoutes, { db })
  internal.register(securityEventRoutes, { db })
  internal.register(operatorActionRoutes, { db })
  await app.ready()
  const internalUrl = await internal.listen(internalListen)

  let stopping = false
  const begin = Promise.withResolvers<void>()
  const running = begin.promise.then(() =>
    stopping ? undefined : startBackground({ name, db, databaseUrl, transport, messages, subscriptions, workers, log }),
  )
  if (background) {
    background.after.then(begin.resolve)
    running.catch(background.onFailed)
  } else {
    begin.resolve()
    await running
  }

  return {
    name,
    app,
    internalUrl,
    stop: async () => {
      stopping = true
      begin.resolve()
      await Promise.all([app.close(), internal.close()])
      await (await running)?.stop()
      await service.stop?.()
      await db.destroy()
    },
  }
}
