import { cpus } from 'node:os'
import { benchDeliveries } from './deliveries/deliveries.ts'
import { benchGuessing } from './guessing/guessing.ts'
import { benchHostile } from './hostile/hostile.ts'
import { benchMarket } from './market/market.ts'
import { benchPurchase } from './purchase/purchase.ts'
import { benchReconciliation } from './reconciliation/reconciliation.ts'
import { benchStart } from './start/start.ts'
import { benchWeb } from './web/web.ts'

/** Metrics, never pass or fail. Compare those of one run only: machines differ, and so do hours. */
const benches: Record<string, () => Promise<Record<string, number>>> = {
  start: benchStart,
  market: benchMarket,
  purchase: benchPurchase,
  reconciliation: benchReconciliation,
  deliveries: benchDeliveries,
  hostile: benchHostile,
  guessing: benchGuessing,
  web: benchWeb,
}

const names = process.argv.slice(2)
const unknown = names.find((name) => !benches[name])
if (unknown) throw new Error(`Unknown bench ${unknown}. Known: ${Object.keys(benches).join(', ')}`)

const log = (text: string) => process.stdout.write(`${text}\n`)
log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`)
for (const name of names.length > 0 ? names : Object.keys(benches)) {
  log(`\n${name}`)
  for (const [metric, value] of Object.entries(await benches[name]!())) log(`  ${metric.padEnd(48)} ${value}`)
}
