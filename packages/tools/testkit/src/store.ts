import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@nifty/dev-servers/free-port'
import { stopProcess } from '@nifty/dev-servers/stop-process'
import { HEAP, processSettings } from '@nifty/service-kit/base/process-settings'
import type { RunFile } from './run-file.ts'

const launchers = join(import.meta.dirname, '../../../../deploy/local/src')
const settings = processSettings(HEAP.store)
/** More than a launcher takes to give up by itself. */
const STOP_WITHIN_MS = 120_000

/** Variables of a store whose purchases wait for blocks a quarter of the usual time. */
export const quickChain = { CHAIN_BLOCK_MS: '250', CHAIN_POLL_MS: '250' }

export type StoreOptions = {
  /** Demo works; default 12. */
  works?: number
  /** The launcher's program below `deploy/local/src`; default: the one of `npx pnpm start`. */
  launcher?: 'main.ts' | 'cluster/main.ts'
  /** Path of a module with a `ClusterExtension`. */
  extension?: string
  /** Variables of this store. */
  env?: NodeJS.ProcessEnv
}

/** Starts a whole store as `npx pnpm start` does, in a data directory of its own. */
export async function startStore({ works = 12, launcher = 'main.ts', extension, env: own = {} }: StoreOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'nifty-store-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const env = {
    ...process.env,
    NIFTY_HOME: folder,
    PORT: String(port),
    DEMO_WORKS: String(works),
    RATE_LIMIT_FACTOR: '1000',
    LOG_LEVEL: 'info',
    ...settings.env,
    CLUSTER_EXTENSION: extension,
    ...own,
  }
  const program = join(launchers, launcher)
  const removeFolder = () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  let child = await launch(program, env).catch(async (error) => {
    await removeFolder()
    throw error
  })
  const run: RunFile = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'))

  return {
    run,
    folder,
    pid: () => child.pid!,
    /** Exit code and error output of the store's process, once it ends by itself. */
    exit: () => exitOf(child),
    /** Kills the store's process (SIGKILL). */
    kill: () => stopProcess(child, { signal: 'SIGKILL' }),
    stop: () => stopProcess(child, { withinMs: STOP_WITHIN_MS }),
    /** Sends the launcher a message and returns its reply. */
    send: async (message: object): Promise<Record<string, unknown>> => {
      const reply = once(child, 'message')
      child.send(message)
      return (await reply)[0]
    },
    /** `changed` are variables that replace former ones. */
    restart: async (changed: NodeJS.ProcessEnv = {}) => {
      child = await launch(program, { ...env, ...changed })
    },
    remove: async () => {
      await stopProcess(child, { withinMs: STOP_WITHIN_MS })
      // The servers of a store that ended with an error stop after it, and write until then.
      await removeFolder()
    },
  }
}

export type Store = Awaited<ReturnType<typeof startStore>>

async function launch(program: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [...settings.arguments, program], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk
      if (/^ready http/m.test(output)) resolve()
    }
    child.stdout!.on('data', listen)
    child.stderr!.on('data', listen)
    child.once('exit', (code) => reject(new Error(`the store ended with code ${code}:\n${output}`)))
  })
  return child
}

async function exitOf(child: ChildProcess) {
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  return { code, output }
}
