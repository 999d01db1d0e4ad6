import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@nifty/dev-servers/free-port'
import { isRunning } from '@nifty/dev-servers/is-running'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, onTestFinished, test, vi } from 'vitest'

const WAIT = { timeout: 120_000, interval: 50 }
const launchers = join(import.meta.dirname, '..')

/** Starts a launcher on an empty data directory. `output` has what it printed so far. */
async function startLauncher(program: string, env: NodeJS.ProcessEnv = {}) {
  const folder = await temporaryFolder('stopping')
  const own = { NIFTY_HOME: folder, PORT: String(await freePort()), RATE_LIMIT_FACTOR: '1000', ...env }
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const closed = once(child, 'close')
  const until = (pattern: RegExp) => vi.waitUntil(() => pattern.test(output), WAIT)
  return { child, folder, until, output: () => output, exitCode: async () => (await closed)[0] as number }
}

/** The processes of a store that has written its files: launcher, dependencies, chain and database server. */
async function pidsOf(folder: string): Promise<number[]> {
  const { store, dependencies, chain } = JSON.parse(await readFile(join(folder, 'processes.json'), 'utf8'))
  const postmaster = await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')
  return [store, dependencies, chain, Number(postmaster.split('\n', 1)[0])]
}

const untilEnded = (pids: number[]) => vi.waitUntil(() => !pids.some(isRunning), WAIT)

test('a store that is stopped while its demo is made ends, with all its processes', async () => {
  const { child, folder, until, output, exitCode } = await startLauncher(join(launchers, 'main.ts'), {
    DEMO_WORKS: '60',
  })
  await until(/^Creating 60 demo works/m)
  await vi.waitUntil(() => existsSync(join(folder, 'demo.json')), WAIT)
  const pids = await pidsOf(folder)

  child.kill('SIGTERM')

  expect(await exitCode()).toBe(0)
  expect(output()).not.toContain('did not stop')
  await untilEnded(pids)
  expect(JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')).done).toBe(false)
})

/** Processes that have the folder in their command line. */
const processesOn = (folder: string) =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
    } catch {
      return false
    }
  })

test('a store that is stopped while its servers start leaves no process, and starts again', async () => {
  const main = join(launchers, 'main.ts')
  const { child, folder, exitCode } = await startLauncher(main, { DEMO_WORKS: '0' })
  const isInitialising = () => readdirSync(folder).some((name) => name.startsWith('postgres'))
  await vi.waitUntil(isInitialising, { ...WAIT, interval: 5 })

  child.kill('SIGTERM')

  expect(await exitCode()).toBe(0)
  // A process that was killed stays in the list until the system has removed it.
  await vi.waitFor(() => expect(processesOn(folder)).toEqual([]), WAIT)
  const again = await startLauncher(main, { DEMO_WORKS: '0', NIFTY_HOME: folder })
  await again.until(/^ready http/m)
  // No seller is in an empty store: its owner reads what to do.
  expect(again.output()).toContain('npx pnpm ops grant-admin <your e-mail address>')
  again.child.kill('SIGTERM')
  expect(await again.exitCode()).toBe(0)
})

/** All servers elsewhere: this store makes no request. */
const nothingToStart = {
  POSTGRES_URL: 'postgres://127.0.0.1:9/postgres',
  CHAIN_RPC_URL: 'http://127.0.0.1:9',
  SMTP_URL: 'smtp://127.0.0.1:9',
  STRIPE_SECRET_KEY: 'sk_test_none',
}
const startNeverStopping = async (stopWithinMs: number) => {
  const env = { ...nothingToStart, STOP_WITHIN_MS: String(stopWithinMs) }
  const launcher = await startLauncher(join(import.meta.dirname, 'never-stops.main.ts'), env)
  await launcher.until(/^ready http/m)
  return launcher
}

test('a launcher whose store does not stop gives up after its limit', async () => {
  const { child, output, exitCode } = await startNeverStopping(1_000)
  child.kill('SIGTERM')
  expect(await exitCode()).toBe(1)
  expect(output()).toContain('The store did not stop within 1 s: ended.')
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a second %s ends a launcher whose store is still stopping',
  async (signal) => {
    const { child, until, output, exitCode } = await startNeverStopping(3_600_000)
    child.kill('SIGINT')
    await until(/^stopping$/m)
    child.kill(signal)
    expect(await exitCode()).toBe(1)
    expect(output()).toContain('Ended before the store had stopped.')
  },
)

test('a store that a test has started ends with the test run, also after its SIGKILL', async () => {
  const parent = spawn(process.execPath, [join(import.meta.dirname, 'parent.main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { folder }: { folder: string } = JSON.parse(String((await once(parent.stdout, 'data'))[0]))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  const pids = await pidsOf(folder)
  expect(pids.map(isRunning)).toEqual([true, true, true, true])

  parent.kill('SIGKILL')

  await untilEnded(pids)
})
