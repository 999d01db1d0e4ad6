import { join } from 'node:path'
import type { SessionList } from '@nifty/api/internal'
import { openDatabase } from '@nifty/service-kit/database'
import { createServiceClient } from '@nifty/service-kit/http/internal'
import { watchSessions } from '@nifty/service-kit/http/sessions'
import { prepareDatabase, type RunningService, runService, type ServiceContext } from '@nifty/service-kit/service'
import type { Worker } from '@nifty/service-kit/worker'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { subscriptions } from './consumers.ts'
import type { Database } from './db.ts'
import { buildInternalApp } from './internal.ts'
import { createCollectors } from './metrics.ts'
import { type Advancing, advanceDue } from './orders/run-step.ts'
import { createDrive } from './orders/run-until.ts'
import { steps } from './orders/steps/steps.ts'
import { createProcessor } from './processor/processor.ts'
import { settleRefunds } from './refunds/refund.actions.ts'
import { backfillEvents, handleWaitingEvent } from './webhooks/webhook.actions.ts'

const migrations = join(import.meta.dirname, '../migrations')

/** Connections that may be held while the processor or a neighbour answers; readers have their own. */
const DESK_CONNECTIONS = 6

export async function startPayments(parts: ServiceContext, config: Config): Promise<RunningService> {
  const { log, databaseUrl, internalSecret: secret } = parts
  const db = await prepareDatabase<Database>(parts, migrations)
  const desk = openDatabase<Database>({ url: databaseUrl, log, maxConnections: DESK_CONNECTIONS })

  const auth = createServiceClient({ url: config.authUrl, secret, name: 'auth' })
  const catalog = createServiceClient({ url: config.catalogUrl, secret, name: 'catalog' })
  const minting = createServiceClient({ url: config.mintingUrl, secret, name: 'minting' })
  const processor = createProcessor(config.processor)
  const sessions = await watchSessions({ read: () => auth<SessionList>('GET', '/internal/sessions'), log })

  const deps: Advancing = { desk, processor, catalog, minting, log, config, steps }
  const app = buildApp({ db, log, sessions, auth, drive: createDrive(deps), config, livemode: processor.livemode })
  const internal = buildInternalApp({ ...deps, db, secret, drive: createDrive(deps) })

  return runService(parts, {
    name: 'payments',
    db,
    app,
    internal,
    subscriptions: subscriptions(log),
    workers: workersOf(deps),
    collectors: createCollectors(db),
    pools: { desk },
    stop: async () => {
      await sessions.stop()
      await desk.destroy()
    },
  })
}

/** Two desks for orders, so that one slow answer does not hold up the rest. */
function workersOf(deps: Advancing): Worker[] {
  const { workMs, pollMs, backfillMs } = deps.config
  const orders = () => advanceDue(deps)
  return [
    { name: 'orders', everyMs: workMs, run: orders },
    { name: 'orders, second desk', everyMs: workMs, run: orders },
    { name: 'webhook inbox', everyMs: workMs, run: () => handleWaitingEvent(deps) },
    { name: 'refunds', everyMs: pollMs, run: () => settleRefunds(deps) },
    { name: 'event back-fill', everyMs: backfillMs, run: async () => void (await backfillEvents(deps)) },
  ]
}
