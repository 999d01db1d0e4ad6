import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@nifty/dev-servers/free-port'
import type { RunFile } from '@nifty/local/run-file'
import { accountsOf, createApiClient, logIn, pay } from '@nifty/testkit/api-client'
import { median } from '../results.ts'

const ROUNDS = 5
const root = join(import.meta.dirname, '../../../..')

/**
 * How long the second start of an existing store takes until `ready`, as a multiple of a bare script that starts the
 * same PostgreSQL and anvil under `npx pnpm`; and the store's memory after a purchase, its children apart.
 */
export async function benchStart() {
  const folder = await mkdtemp(join(tmpdir(), 'nifty-bench-'))
  await chmod(folder, 0o755)
  const env = { ...process.env, NIFTY_HOME: folder, PORT: String(await freePort()) }
  const store = ['--yes', 'pnpm', 'start']
  const bare = ['--yes', 'pnpm', 'exec', 'node', join(import.meta.dirname, 'bare.ts'), folder]

  const first = await untilReady(store, env)
  const firstMemory = await memoryAfterPurchase(folder)
  await first.stop()

  const times: { store: number; bare: number }[] = []
  let memory = 0
  for (let round = 0; round < ROUNDS; round++) {
    const one = await untilReady(bare, env)
    await one.stop()
    const other = await untilReady(store, env)
    if (round === ROUNDS - 1) memory = await memoryAfterPurchase(folder)
    await other.stop()
    times.push({ bare: one.ms, store: other.ms })
  }
  await rm(folder, { recursive: true, force: true })
  return {
    'first start until ready, ms': first.ms,
    'second start until ready, ms (median)': median(times.map(({ store }) => store)),
    'bare PostgreSQL and anvil, ms (median)': median(times.map(({ bare }) => bare)),
    'second start ÷ bare (median of pairs)': Number(median(times.map(({ store, bare }) => store / bare)).toFixed(2)),
    'memory after a purchase, first start, MB': firstMemory,
    'memory after a purchase, second start, MB': memory,
  }
}

/** Runs `npx …` until it prints the ready line. */
async function untilReady(args: string[], env: NodeJS.ProcessEnv) {
  const began = performance.now()
  const child = spawn('npx', args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk
      if (/^ready/m.test(said)) resolve()
    })
    child.once('close', (code) => reject(new Error(`npx ${args.join(' ')} ended with code ${code}`)))
  })
  return {
    ms: Math.round(performance.now() - began),
    stop: async () => {
      process.kill(-child.pid!, 'SIGTERM')
      await gone
    },
  }
}

/** Buys a work and returns the resident memory of the store's process in MB. */
async function memoryAfterPurchase(folder: string): Promise<number> {
  const run: RunFile = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'))
  const { store: pid } = JSON.parse(await readFile(join(folder, 'processes.json'), 'utf8'))
  const buyer = await logIn(run, accountsOf(run, 'collector')[0]!)
  const work = (await createApiClient(run).market()).find(({ forSale, reserved }) => forSale && !reserved)!
  const { body } = await buyer.buy(work)
  await pay(run, body.url, run.cards.approved)
  while ((await buyer.order(body.orderId)).state !== 'completed')
    await new Promise((resolve) => setTimeout(resolve, 200))
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(status.match(/^VmRSS:\s+(\d+)/m)![1]) / 1024)
}
