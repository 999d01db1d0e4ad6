import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@nifty/dev-servers/free-port'
import type { RunFile } from '@nifty/local/run-file'

const launchers = join(import.meta.dirname, '../../../deploy/local/src')

type Wishes = {
  works?: number
  /** The launcher's file; `npx pnpm start` when absent. */
  launcher?: string
  /** Variables for this store. */
  env?: NodeJS.ProcessEnv
}

/** A whole store of one's own, as `npx pnpm start` brings it, with a dozen works. */
export async function startStore({ works = 12, launcher = 'main.ts', env: own = {} }: Wishes = {}) {
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
    ...own,
  }
  const program = join(launchers, launcher)
  let child = await launch(program, env)
  const run: RunFile = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'))

  return {
    run,
    folder,
    pid: () => child.pid!,
    /** How the store's process ended by itself: its exit code and its last words. */
    ending: () => ending(child),
    /** Ends the store's process as a power cut would. */
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
    /** Tells the launcher something, and waits for its answer. */
    tell: async (message: object): Promise<Record<string, unknown>> => {
      const answer = once(child, 'message')
      child.send(message)
      return (await answer)[0]
    },
    startAgain: async () => {
      child = await launch(program, env)
    },
    remove: async () => {
      await end(child, 'SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Store = Awaited<ReturnType<typeof startStore>>

async function launch(program: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += chunk
      if (/^ready http/m.test(said)) resolve()
    }
    child.stdout!.on('data', listen)
    child.stderr!.on('data', listen)
    child.once('exit', (code) => reject(new Error(`the store ended with code ${code}:\n${said}`)))
  })
  return child
}

async function ending(child: ChildProcess) {
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk
  })
  const [code] = await once(child, 'close')
  return { code, said }
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await gone
}
