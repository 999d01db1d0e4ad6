import { join } from 'node:path'
import type { Worker } from '@nifty/service-kit/base/worker'
import { openDatabase } from '@nifty/service-kit/database/database'
import { defineService, type ServiceDefinition, type ServiceSetup } from '@nifty/service-kit/service/define-service'
import { statementRoutes } from './books/statement.routes.ts'
import { type Config, readConfig } from './config.ts'
import { subscriptions } from './consumers.ts'
import type { Database } from './db.ts'
import type { Deps } from './deps.ts'
import { createCollectors } from './metrics.ts'
import { opsAcceptanceRoutes } from './ops/acceptance.routes.ts'
import { opsLostWorkRoutes } from './ops/lost-work.routes.ts'
import { opsOrderRoutes } from './ops/order.routes.ts'
import { opsPayoutRoutes } from './ops/payout.routes.ts'
import { orderRoutes } from './orders/order.routes.ts'
import { countDueOrders } from './orders/order.store.ts'
import { rebuildLostOrders } from './orders/rebuild.actions.ts'
import { runDueStep, type StepDeps } from './orders/run-step.ts'
import { createOrderRunner } from './orders/run-until.ts'
import { steps } from './orders/steps/steps.ts'
import { ownDataRoutes } from './own-data/own-data.routes.ts'
import { createProcessor } from './processor/processor.ts'
import { purchaseRoutes } from './purchases/purchase.routes.ts'
import { reconciliationRoutes } from './reconciliation/reconciliation.routes.ts'
import { isPageDue } from './reconciliation/reconciliation.store.ts'
import { runReconciliationPage } from './reconciliation/run-page.ts'
import { submitDueRefund } from './refunds/refund.actions.ts'
import { deleteExpired } from './retention.ts'
import { backfillEvents, handleWaitingEvent } from './webhooks/webhook.actions.ts'
import { webhookRoutes } from './webhooks/webhook.routes.ts'
import { countWaitingEvents } from './webhooks/webhook.store.ts'

/**
 * Connections for transactions that stay open during a call to another system; other requests use the main pool. Purchases that
 * start have some of their own, so that a crowd of buyers delays no order that is paid.
 */
const START_CONNECTIONS = 32
/**
 * Polls of open pages at the same time, at most 11 a second when the processor takes 350 ms: thousands of open pages delay no order
 * that is paid, and each is polled less often.
 */
const POLL_WORKERS = 4
/** Beside those of the workers of orders: webhook inbox, refunds, reconciliation, back-fill. */
const OTHER_CONNECTIONS = 4

export const paymentsDefinition: ServiceDefinition<'payments', Config, Database> = {
  name: 'payments',
  migrations: join(import.meta.dirname, '../migrations'),
  readConfig,
  create: ({ db, log, databaseUrl, config, clients }: ServiceSetup<'payments', Config, Database>) => {
    const startPool = openDatabase<Database>({ url: databaseUrl, log, maxConnections: START_CONNECTIONS })
    const maxConnections = config.orderWorkers + POLL_WORKERS + OTHER_CONNECTIONS
    const longPool = openDatabase<Database>({ url: databaseUrl, log, maxConnections })
    const stepDeps: StepDeps = {
      longPool,
      log,
      config,
      steps,
      ...clients,
      processor: createProcessor(config.processor),
    }
    const runner = createOrderRunner({ ...stepDeps, longPool: startPool })
    const deps: Deps = { ...stepDeps, db, runner }

    return {
      routes: (app) => {
        for (const routes of [purchaseRoutes, orderRoutes, statementRoutes, webhookRoutes, ownDataRoutes])
          app.register(routes, deps)
      },
      internalRoutes: (app) => {
        const all = [opsOrderRoutes, opsPayoutRoutes, reconciliationRoutes, opsAcceptanceRoutes, opsLostWorkRoutes]
        for (const routes of all) app.register(routes, deps)
      },
      subscriptions: subscriptions(log),
      workers: createWorkers(stepDeps),
      collectors: createCollectors(db),
      pools: { start: startPool, long: longPool },
      stop: async () => {
        await startPool.destroy()
        await longPool.destroy()
      },
    }
  },
}

export const payments = defineService(paymentsDefinition)

/** Interval at which a due page of the reconciliation is queried. */
const RECONCILE_MS = 1_000
const RETENTION_MS = 3_600_000

function createWorkers(deps: StepDeps): Worker[] {
  const { workMs, backfillMs, orderWorkers } = deps.config
  return [
    {
      name: 'orders',
      everyMs: workMs,
      isNotified: true,
      due: (atMost) => countDueOrders(deps.longPool, 'work', atMost),
      run: async () => (await runDueStep(deps))?.continuesNow,
      concurrency: orderWorkers,
    },
    {
      name: 'session polls',
      everyMs: workMs,
      due: (atMost) => countDueOrders(deps.longPool, 'poll', atMost),
      // An order that continues at once is work for the workers above.
      run: async () => void (await runDueStep(deps, 'poll')),
      concurrency: POLL_WORKERS,
    },
    {
      name: 'webhook inbox',
      everyMs: workMs,
      isNotified: true,
      due: (atMost) => countWaitingEvents(deps.longPool, atMost),
      run: async () => void (await handleWaitingEvent(deps)),
    },
    { name: 'lost orders', everyMs: backfillMs, run: async () => void (await rebuildLostOrders(deps)) },
    {
      name: 'reconciliation',
      everyMs: Math.max(workMs, RECONCILE_MS),
      due: async () => Number(await isPageDue(deps.longPool, deps.config.reconcileEveryMs)),
      run: () => runReconciliationPage(deps),
    },
    { name: 'refunds', everyMs: workMs, run: () => submitDueRefund(deps) },
    { name: 'retention', everyMs: RETENTION_MS, run: () => deleteExpired(deps.longPool) },
    { name: 'event back-fill', everyMs: backfillMs, run: async () => void (await backfillEvents(deps)) },
  ]
}
