import { cpus } from 'node:os'
import { benchMarket } from './market/market.ts'
import { benchPurchase } from './purchase/purchase.ts'
import { benchStart } from './start/start.ts'
import { benchWeb } from './web/web.ts'

/** Figures, never pass or fail. Compare those of one run only: machines differ, and so do hours. */
const benches: Record<string, () => Promise<Record<string, number>>> = {
  start: benchStart,
  market: benchMarket,
  purchase: benchPurchase,
  web: benchWeb,
}

const names = process.argv.slice(2)
const unknown = names.find((name) => !benches[name])
if (unknown) throw new Error(`Unknown bench ${unknown}. Known: ${Object.keys(benches).join(', ')}`)

const say = (text: string) => process.stdout.write(`${text}\n`)
say(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`)
for (const name of names.length > 0 ? names : Object.keys(benches)) {
  say(`\n${name}`)
  for (const [figure, value] of Object.entries(await benches[name]!())) say(`  ${figure.padEnd(48)} ${value}`)
}
