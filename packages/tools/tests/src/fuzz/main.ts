import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startStore } from '@nifty/testkit/store'
import { fuzz, type Report } from './campaign.ts'

const SHOWN = 20

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** The data directory of a store that runs already; its accounts and works are used up. */
    store: { type: 'string' },
  },
})
const requests = Number(values.requests)
const seed = Number(values.seed)

const own = values.store ? undefined : await startStore()
const folder = own?.folder ?? values.store!
const run = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'))
process.stdout.write(`${requests} requests with seed ${seed} to ${run.url}\n`)
const started = performance.now()
const report = await fuzz({ run, folder }, { requests, seed })
const seconds = Math.round((performance.now() - started) / 1000)
print(report)
process.stdout.write(`${report.requests} requests in ${seconds} s, ${report.failures.length} failures (seed ${seed})\n`)
await own?.remove()
process.exit(report.failures.length > 0 ? 1 : 0)

function print({ statuses, failures }: Report) {
  for (const [name, counts] of [...statuses].sort())
    process.stdout.write(
      `${name}: ${[...counts]
        .sort()
        .map(([status, count]) => `${status} × ${count}`)
        .join(', ')}\n`,
    )
  for (const { operation, faults, curl, answer } of failures.slice(0, SHOWN))
    process.stdout.write(`\n${operation}\n  ${faults.join('\n  ')}\n  ${curl}\n  ${answer}\n`)
}
