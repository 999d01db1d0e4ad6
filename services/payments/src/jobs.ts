import { closeNextDay } from '@nifty/service-kit/database/statistics'
import type { Jobs } from '@nifty/service-kit/jobs/jobs'
import { findLostCustomer, forgetDueCards } from './card-customers/card-customer.actions.ts'
import { isCardWorkDue } from './card-customers/card-customer.store.ts'
import type { Database } from './db.ts'
import { freeLostReservations } from './orders/lost-reservations.actions.ts'
import { isOrderDue, wakeIdleBids } from './orders/order.store.ts'
import { rebuildLostOrders } from './orders/rebuild.actions.ts'
import { runDueStep, type StepDeps } from './orders/run-step.ts'
import { checkAccount } from './processor/account.actions.ts'
import { isPageDue } from './reconciliation/reconciliation.store.ts'
import { runReconciliationPage } from './reconciliation/run-page.ts'
import { submitDueRefund } from './refunds/refund.actions.ts'
import { deleteExpired } from './retention.ts'
import { contestStoredObjections } from './reversals/reversal.actions.ts'
import { salesFigures } from './statistics/statistics.store.ts'
import { backfillEvents, handleWaitingEvent } from './webhooks/webhook.actions.ts'
import { isEventWaiting } from './webhooks/webhook.store.ts'

/**
 * Polls of open pages at the same time, at most 11 a second when the processor takes 350 ms: thousands of open pages
 * delay no order that is paid, and each is polled less often.
 */
export const POLL_WORKERS = 4

/** Interval at which a due page of the reconciliation is queried. */
const RECONCILE_MS = 1_000

const workMs = { setting: 'PAYMENTS_WORK_MS', of: ({ config }: StepDeps) => config.workMs }
const backfillMs = { setting: 'PAYMENTS_BACKFILL_MS', of: ({ config }: StepDeps) => config.backfillMs }

export const jobs = {
  orders: {
    does: 'runs the next step of an order',
    work: 'orders',
    everyMs: workMs,
    isNotified: true,
    concurrency: { setting: 'PAYMENTS_ORDER_WORKERS', of: ({ config }) => config.orderWorkers },
    retry: 'backoff',
    handler: (deps) => ({
      isDue: () => isOrderDue(deps.longPool, 'work'),
      run: async () => (await runDueStep(deps))?.continuesNow,
    }),
  },
  'session polls': {
    does: 'reads at the processor whether the open page of an order was paid',
    work: 'orders',
    everyMs: workMs,
    concurrency: POLL_WORKERS,
    retry: 'backoff',
    handler: (deps) => ({
      isDue: () => isOrderDue(deps.longPool, 'poll'),
      // An order that continues at once is work for the job above.
      run: async () => void (await runDueStep(deps, 'poll')),
    }),
  },
  'webhook inbox': {
    does: 'handles a stored webhook',
    work: 'stripeInbox',
    everyMs: workMs,
    isNotified: true,
    retry: 'backoff',
    handler: (deps) => ({
      isDue: () => isEventWaiting(deps.longPool),
      run: async () => void (await handleWaitingEvent(deps)),
    }),
  },
  'lost orders': {
    does: 'rebuilds orders that the processor has and this database lost; frees works that are reserved for lost orders; wakes idle offers and bids',
    everyMs: backfillMs,
    retry: 'next interval',
    handler: (deps) => ({
      run: async () => {
        await rebuildLostOrders(deps)
        await freeLostReservations(deps)
        await wakeIdleBids(deps.longPool)
      },
    }),
  },
  reconciliation: {
    does: 'compares one page of orders, money, tokens and owners; starts the daily run',
    work: 'reconciliation',
    everyMs: { setting: 'PAYMENTS_WORK_MS', of: ({ config }) => Math.max(config.workMs, RECONCILE_MS) },
    retry: 'backoff',
    handler: (deps) => ({
      isDue: () => isPageDue(deps.longPool, deps.config.reconcileEveryMs),
      run: () => runReconciliationPage(deps),
    }),
  },
  'processor account': {
    does: 'checks that the API key is still of the account that this database belongs to, and has its rights',
    everyMs: backfillMs,
    retry: 'next interval',
    handler: (deps) => ({ run: () => checkAccount(deps) }),
  },
  'contested lines': {
    does: 'contests the lines of objections that a former release stored',
    everyMs: backfillMs,
    retry: 'next interval',
    handler: ({ longPool }) => ({ run: () => contestStoredObjections(longPool) }),
  },
  refunds: {
    does: 'submits a refund to the processor, or reads its outcome',
    work: 'refund',
    everyMs: workMs,
    retry: 'backoff',
    handler: (deps) => ({ run: () => submitDueRefund(deps) }),
  },
  'forgotten cards': {
    does: 'deletes forgotten cards and lost Customers at the processor, once no payment needs them',
    work: 'cardCustomer',
    everyMs: workMs,
    retry: 'backoff',
    handler: (deps) => ({
      isDue: () => isCardWorkDue(deps.longPool),
      run: async () => (await forgetDueCards(deps)) || (await findLostCustomer(deps)),
    }),
  },
  retention: {
    does: 'deletes webhooks and payees that are needed no more, and gifts of unpaid or released orders',
    everyMs: 3_600_000,
    retry: 'next interval',
    handler: ({ longPool }) => ({ run: () => deleteExpired(longPool) }),
  },
  'event back-fill': {
    does: 'fetches events whose webhook never arrived',
    everyMs: backfillMs,
    retry: 'next interval',
    handler: (deps) => ({ run: async () => void (await backfillEvents(deps)) }),
  },
  statistics: {
    does: 'stores the figures of a day that is over',
    work: 'statisticsDay',
    everyMs: 10 * 60_000,
    retry: 'next interval',
    handler: ({ longPool }) => ({ run: () => closeNextDay(longPool, salesFigures) }),
  },
} satisfies Jobs<StepDeps, Database>
