import { join } from 'node:path'
import { workersOf } from '@nifty/service-kit/jobs/jobs'
import { defineService, type ServiceDefinition, type ServiceSetup } from '@nifty/service-kit/service/define-service'
import { statementRoutes } from './books/statement.routes.ts'
import { cardCustomerRoutes } from './card-customers/card-customer.routes.ts'
import { type Config, readConfig } from './config.ts'
import { subscriptions } from './consumers.ts'
import type { Database } from './db.ts'
import type { Deps } from './deps.ts'
import { jobs, POLL_WORKERS } from './jobs.ts'
import { createCollectors } from './metrics.ts'
import { offerRoutes } from './offers/offer.routes.ts'
import { opsAcceptanceRoutes } from './ops/acceptance.routes.ts'
import { opsAlarmRoutes } from './ops/alarm.routes.ts'
import { opsCardRoutes } from './ops/card.routes.ts'
import { opsDisputeRoutes } from './ops/dispute.routes.ts'
import { opsLostWorkRoutes } from './ops/lost-work.routes.ts'
import { opsOrderRoutes } from './ops/order.routes.ts'
import { opsOrderSearchRoutes } from './ops/order-search.routes.ts'
import { opsPayoutRoutes } from './ops/payout.routes.ts'
import { orderRoutes } from './orders/order.routes.ts'
import type { StepDeps } from './orders/run-step.ts'
import { createOrderRunner } from './orders/run-until.ts'
import { createSaleTimes } from './orders/sale-times.ts'
import { sale } from './orders/steps/sale.ts'
import { ownDataOpsRoutes, ownDataRoutes } from './own-data/own-data.routes.ts'
import { checkAccountAtStart } from './processor/account.actions.ts'
import { createProcessor } from './processor/processor.ts'
import { purchaseRoutes } from './purchases/purchase.routes.ts'
import { saveTermsVersion } from './purchases/terms.store.ts'
import { reconciliationRoutes } from './reconciliation/reconciliation.routes.ts'
import { salesPauseRoutes } from './sales-pause/sales-pause.routes.ts'
import { statisticsRoutes } from './statistics/statistics.routes.ts'
import { webhookRoutes } from './webhooks/webhook.routes.ts'

/**
 * Connections for transactions that stay open during a call to another system; other requests use the main pool.
 * Purchases that start have some of their own, so that a crowd of buyers delays no order that is paid.
 */
const START_CONNECTIONS = 32
/** Beside those of the workers of orders: webhook inbox, refunds, reconciliation, back-fill. */
const OTHER_CONNECTIONS = 4

const opsRoutes = [
  opsOrderRoutes,
  opsOrderSearchRoutes,
  opsPayoutRoutes,
  opsDisputeRoutes,
  opsCardRoutes,
  opsAlarmRoutes,
  reconciliationRoutes,
  opsAcceptanceRoutes,
  opsLostWorkRoutes,
  ownDataOpsRoutes,
  salesPauseRoutes,
  statisticsRoutes,
]

/** Payments with these steps of a sale. */
export const definePayments = (sale: StepDeps['sale']): ServiceDefinition<'payments', Config, Database> => ({
  name: 'payments',
  migrations: join(import.meta.dirname, '../migrations'),
  readConfig,
  create: async ({ db, log, openPool, storeId, config, clients }: ServiceSetup<'payments', Config, Database>) => {
    // Their transactions wait for the processor.
    const startPool = openPool(START_CONNECTIONS)
    const longPool = openPool(config.orderWorkers + POLL_WORKERS + OTHER_CONNECTIONS)
    const stepDeps: StepDeps = {
      db,
      longPool,
      log,
      config,
      storeId,
      sale,
      ...clients,
      processor: createProcessor(config.processor),
      saleTimes: createSaleTimes(),
    }
    await checkAccountAtStart(stepDeps)
    const { text } = await saveTermsVersion(db, config.terms)
    if (text !== config.terms.text)
      log.warn(
        { version: config.terms.version },
        'terms: this version was in force with another text, which stays stored; give the changed text a new version',
      )
    const runner = createOrderRunner({ ...stepDeps, longPool: startPool })
    const deps: Deps = { ...stepDeps, runner }

    return {
      routes: (app) => {
        for (const routes of [
          purchaseRoutes,
          offerRoutes,
          orderRoutes,
          statementRoutes,
          cardCustomerRoutes,
          webhookRoutes,
          ownDataRoutes,
        ])
          app.register(routes, deps)
      },
      internalRoutes: (app) => {
        for (const routes of opsRoutes) app.register(routes, deps)
      },
      subscriptions: subscriptions(log),
      workers: workersOf(jobs, stepDeps),
      collectors: createCollectors(stepDeps),
      pools: { start: startPool, long: longPool },
      stop: async () => {
        await startPool.destroy()
        await longPool.destroy()
      },
    }
  },
})

export const payments = defineService(definePayments(sale))
