import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endWithParent } from '@nifty/dev-servers/end-with-parent'
import { freePort } from '@nifty/dev-servers/free-port'
import { stopProcess } from '@nifty/dev-servers/stop-process'
import { HEAP, processSettings } from '@nifty/service-kit/base/process-settings'
import { accountsOf, createApiClient, logIn, pay, untilOrder } from '@nifty/testkit/api-client'
import type { RunFile } from '@nifty/testkit/run-file'
import { waitUntil } from '@nifty/testkit/wait-until'
import { availableWork } from '@nifty/testkit/works'
import { residentMb } from '../processes/processes.ts'
import { median } from '../results/statistics.ts'
import type { Figure } from '../results/target.ts'
import type { Run } from '../run/part.ts'
import { start as targets } from '../run/targets.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { cpuUntilListening } from './service-alone.ts'

const ROUNDS = { whole: 5, short: 1 }
/** The demo's works beyond those that a start waits for do not change the second start. */
const WORKS = '24'
const root = join(import.meta.dirname, '../../../../..')

/** Programs and arguments of Node; `store`, with the variables below, as in the script `start` of package.json. */
const bare = (folder: string) => [join(import.meta.dirname, 'bare.ts'), folder]
const settings = processSettings(HEAP.store)
const store = [...settings.arguments, join(root, 'deploy/local/src/main.ts')]

/**
 * How long the second start of an existing store takes until `ready`, beside a bare script that starts the same
 * PostgreSQL and anvil; the store's memory after a purchase, its children apart; and the CPU time of one service until
 * it listens.
 */
export async function benchStart({ form }: Run): Promise<Figure[]> {
  const { path: folder, remove: removeFolder } = await temporaryFolder()
  const env = {
    ...process.env,
    NIFTY_HOME: folder,
    PORT: String(await freePort()),
    DEMO_WORKS: WORKS,
    ...settings.env,
  }
  try {
    const first = await untilReady(store, env)
    const firstMemory = await memoryAfterPurchase(folder)
      .then(async (mb) => {
        await untilSeeded(folder)
        return mb
      })
      .finally(first.stop)

    const times: { store: number; bare: number }[] = []
    let memory = 0
    for (let round = 0; round < ROUNDS[form]; round++) {
      const one = await untilReady(bare(folder), env)
      await one.stop()
      const other = await untilReady(store, env)
      try {
        if (round === ROUNDS[form] - 1) memory = await memoryAfterPurchase(folder)
      } finally {
        await other.stop()
      }
      times.push({ bare: one.ms, store: other.ms })
    }
    return [
      {
        target: targets.second,
        figure: median(times.map(({ store }) => store)),
        baseline: median(times.map(({ bare }) => bare)),
      },
      { target: targets.service, figure: await cpuUntilListening(folder, 'catalog') },
      { name: 'first start until ready', unit: 'ms', figure: first.ms },
      { name: 'memory after a purchase, first start', unit: 'MB', figure: firstMemory },
      { name: 'memory after a purchase, second start', unit: 'MB', figure: memory },
    ]
  } finally {
    await removeFolder()
  }
}

/** More than a launcher takes to give up by itself. */
const STOP_WITHIN_MS = 30_000

/** Runs a program until it prints the ready line. */
async function untilReady(args: string[], env: NodeJS.ProcessEnv) {
  const began = performance.now()
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  endWithParent(child, 'SIGTERM')
  await new Promise<void>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk
      if (/^ready/m.test(output)) resolve()
    })
    child.once('close', (code) => reject(new Error(`node ${args.join(' ')} ended with code ${code}`)))
  })
  return {
    ms: performance.now() - began,
    stop: () => stopProcess(child, { withinMs: STOP_WITHIN_MS }),
  }
}

/** A store that is stopped earlier continues its seeding at the next start, which would be measured with it. */
const untilSeeded = (folder: string) =>
  waitUntil(async () => JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')).done, { timeoutMs: 600_000 })

/** Buys a work and returns the resident memory of the store's process in MB. */
async function memoryAfterPurchase(folder: string): Promise<number> {
  const run: RunFile = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'))
  const { store: pid } = JSON.parse(await readFile(join(folder, 'processes.json'), 'utf8'))
  const buyer = await logIn(run, accountsOf(run, 'collector')[0]!)
  const { body } = await buyer.buy(await availableWork(createApiClient(run)))
  await pay(run, body.url, run.cards.approved)
  await untilOrder(buyer, body.orderId, 'completed')
  return residentMb(pid)
}
