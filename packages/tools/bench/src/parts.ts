import type { Part } from './run/part.ts'
import * as targets from './run/targets.ts'
import { targetsOf } from './run/targets.ts'

/**
 * In the order in which they run: an idle cluster is measured before the parts that use it, and those of other
 * processes when it has been removed. Each is loaded when it runs.
 */
export const parts: Part[] = [
  {
    name: 'start',
    targets: targetsOf(targets.start),
    short: false,
    measure: async (run) => (await import('./start/start.ts')).benchStart(run),
  },
  {
    name: 'idle',
    targets: targetsOf(targets.idle),
    short: true,
    usesCluster: true,
    measure: async (run) => (await import('./idle/idle.ts')).benchIdle(run),
  },
  {
    name: 'purchase',
    targets: targetsOf(targets.purchase),
    short: true,
    usesCluster: true,
    measure: async (run) => (await import('./purchase/purchase.ts')).benchPurchase(run),
  },
  {
    name: 'market',
    targets: targetsOf(targets.clusterReads),
    short: true,
    usesCluster: true,
    measure: async (run) => (await import('./market/market.ts')).benchMarket(run),
  },
  {
    name: 'auction',
    targets: targetsOf(targets.auction),
    short: false,
    usesCluster: true,
    measure: async (run) => (await import('./auction/auction.ts')).benchAuction(run),
  },
  {
    name: 'memory',
    targets: targetsOf(targets.memory),
    short: false,
    usesCluster: true,
    sizes: ['BENCH_MINUTES'],
    measure: async (run) => (await import('./memory/memory.ts')).benchMemory(run),
  },
  {
    name: 'crowd',
    targets: targetsOf(targets.crowd),
    short: false,
    usesCluster: true,
    sizes: ['BENCH_BUYERS', 'BENCH_WAITING'],
    measure: async (run) => (await import('./crowd/crowd.ts')).benchCrowd(run),
  },
  {
    name: 'settlement',
    targets: targetsOf(targets.sales),
    short: false,
    usesCluster: true,
    sizes: ['BENCH_ORDERS_TO_SETTLE'],
    measure: async (run) => (await import('./settlement/settlement.ts')).benchSettlement(run),
  },
  {
    name: 'market-one-process',
    targets: targetsOf(targets.oneProcessReads),
    short: false,
    measure: async (run) => (await import('./market/market.ts')).benchMarketOfOneProcess(run),
  },
  {
    name: 'cold',
    targets: targetsOf(targets.coldReads),
    short: false,
    sizes: ['BENCH_WORKS'],
    measure: async (run) => (await import('./cold/cold.ts')).benchColdReads(run),
  },
  {
    name: 'events',
    targets: targetsOf(targets.events),
    short: true,
    measure: async (run) => (await import('./events/events.ts')).benchEvents(run),
  },
  {
    name: 'web',
    targets: targetsOf(targets.firstVisit),
    short: false,
    measure: async (run) => (await import('./web/web.ts')).benchWeb(run),
  },
  {
    name: 'reconciliation',
    targets: [],
    short: false,
    sizes: ['BENCH_ORDERS'],
    measure: async (run) => (await import('./reconciliation/reconciliation.ts')).benchReconciliation(run),
  },
  {
    name: 'office',
    targets: targetsOf(targets.office),
    short: false,
    sizes: ['BENCH_OFFICE_ORDERS'],
    measure: async (run) => (await import('./office/office.ts')).benchOffice(run),
  },
  {
    name: 'migration',
    targets: targetsOf(targets.migration),
    short: false,
    sizes: ['BENCH_MIGRATION_ROWS'],
    measure: async (run) => (await import('./migration/migration.ts')).benchMigration(run),
  },
  {
    name: 'deliveries',
    targets: [],
    short: false,
    measure: async () => (await import('./deliveries/deliveries.ts')).benchDeliveries(),
  },
  {
    name: 'hostile',
    targets: [],
    short: false,
    measure: async () => (await import('./hostile/hostile.ts')).benchHostile(),
  },
  {
    name: 'guessing',
    targets: [],
    short: false,
    measure: async () => (await import('./guessing/guessing.ts')).benchGuessing(),
  },
]
