import { benchDeliveries } from './deliveries/deliveries.ts'
import { benchGuessing } from './guessing/guessing.ts'
import { benchHostile } from './hostile/hostile.ts'
import { benchMarket } from './market/market.ts'
import type { Part } from './part.ts'
import { benchPurchase } from './purchase/purchase.ts'
import { benchReconciliation } from './reconciliation/reconciliation.ts'
import { benchStart } from './start/start.ts'
import * as targets from './targets.ts'
import { targetsOf } from './targets.ts'
import { benchWeb } from './web/web.ts'

/** In the order in which they run. */
export const parts: Part[] = [
  { name: 'start', targets: targetsOf(targets.start), short: true, measure: benchStart },
  { name: 'market', targets: targetsOf(targets.oneProcessReads), short: true, measure: benchMarket },
  { name: 'purchase', targets: targetsOf(targets.purchase), short: true, measure: benchPurchase },
  { name: 'web', targets: targetsOf(targets.firstVisit), short: false, measure: benchWeb },
  { name: 'reconciliation', targets: [], short: false, measure: benchReconciliation },
  { name: 'deliveries', targets: [], short: false, measure: benchDeliveries },
  { name: 'hostile', targets: [], short: false, measure: benchHostile },
  { name: 'guessing', targets: [], short: false, measure: benchGuessing },
]
