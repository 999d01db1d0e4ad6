import { join } from 'node:path'
import { listSessions } from '@nifty/api/auth/internal'
import { openDatabase } from '@nifty/service-kit/database'
import { createServiceClient } from '@nifty/service-kit/http/client'
import { watchSessions } from '@nifty/service-kit/http/sessions'
import { prepareDatabase, type RunningService, runService, type ServiceContext } from '@nifty/service-kit/service'
import type { Worker } from '@nifty/service-kit/worker'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { subscriptions } from './consumers.ts'
import type { Database } from './db.ts'
import { buildInternalApp } from './internal.ts'
import { createCollectors } from './metrics.ts'
import { runDueStep, type StepDeps } from './orders/run-step.ts'
import { createOrderRunner } from './orders/run-until.ts'
import { steps } from './orders/steps/steps.ts'
import { createProcessor } from './processor/processor.ts'
import { submitPendingRefunds } from './refunds/refund.actions.ts'
import { backfillEvents, handleWaitingEvent } from './webhooks/webhook.actions.ts'

const migrations = join(import.meta.dirname, '../migrations')

/** Connections for transactions that stay open during a call to another system; requests use the main pool. */
const LONG_POOL_CONNECTIONS = 6

export async function startPayments(parts: ServiceContext, config: Config): Promise<RunningService> {
  const { log, databaseUrl, internalSecret: secret } = parts
  const db = await prepareDatabase<Database>(parts, migrations)
  const longPool = openDatabase<Database>({ url: databaseUrl, log, maxConnections: LONG_POOL_CONNECTIONS })

  const auth = createServiceClient({ url: config.authUrl, secret, name: 'auth' })
  const catalog = createServiceClient({ url: config.catalogUrl, secret, name: 'catalog' })
  const minting = createServiceClient({ url: config.mintingUrl, secret, name: 'minting' })
  const processor = createProcessor(config.processor)
  const sessions = await watchSessions({ read: () => auth(listSessions), log })

  const deps: StepDeps = { longPool, processor, catalog, minting, log, config, steps }
  const app = buildApp({
    db,
    log,
    sessions,
    auth,
    runner: createOrderRunner(deps),
    config,
    livemode: processor.livemode,
  })
  const internal = buildInternalApp({ ...deps, db, secret, runner: createOrderRunner(deps) })

  return runService(parts, {
    name: 'payments',
    db,
    app,
    internal,
    subscriptions: subscriptions(log),
    workers: workersOf(deps),
    collectors: createCollectors(db),
    pools: { long: longPool },
    stop: async () => {
      await sessions.stop()
      await longPool.destroy()
    },
  })
}

/** Two workers for orders, so that one slow call does not delay all others. */
function workersOf(deps: StepDeps): Worker[] {
  const { workMs, pollMs, backfillMs } = deps.config
  const orders = () => runDueStep(deps)
  return [
    { name: 'orders', everyMs: workMs, run: orders },
    { name: 'orders 2', everyMs: workMs, run: orders },
    { name: 'webhook inbox', everyMs: workMs, run: () => handleWaitingEvent(deps) },
    { name: 'refunds', everyMs: pollMs, run: () => submitPendingRefunds(deps) },
    { name: 'event back-fill', everyMs: backfillMs, run: async () => void (await backfillEvents(deps)) },
  ]
}
