import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@nifty/dev-servers/free-port'
import { createWakeSignal } from '@nifty/service-kit/bell'
import type { Log } from '@nifty/service-kit/logs'

const withParent = join(import.meta.dirname, 'with-parent.ts')
const LOOK_EVERY_MS = 100
/** Beside the time for which it was told to answer on. */
const STOP_WITHIN_MS = 25_000
/** One that lived so long was well; what ended it is no reason to wait. */
const WELL_AFTER_MS = 10_000
const MAX_PAUSE_MS = 10_000
const GIVE_UP_AFTER = 5

export type ReplicaOptions = {
  name: string
  program: string
  env: NodeJS.ProcessEnv
  logFile: string
  /** Answers 200 once the process can be asked. */
  readyPath: string
  log: Log
  onChange: () => void
}

/** What can be seen of a process from outside. */
export type Sight = {
  name: string
  program: string
  pid: number | undefined
  ready: boolean
  starts: number
  /** Where it alone shows its figures; neighbours go through the balancer. */
  internalUrl: string | undefined
}

/** Keeps one process running, as a kubelet does: when it ends, it is started again, more slowly if it ends at once. */
export function startReplica(options: ReplicaOptions) {
  const { name, program, log, onChange } = options
  const sight: Sight = { name, program, pid: undefined, ready: false, starts: 0, internalUrl: undefined }
  const ports = { PORT: 0, INTERNAL_PORT: 0 }
  const bell = createWakeSignal()
  const firstReady = Promise.withResolvers<void>()
  firstReady.promise.catch(() => {})
  let stopped = false
  let child: ReturnType<typeof spawn> | undefined
  let failures = 0

  const change = (what: Partial<Sight>) => {
    Object.assign(sight, what)
    onChange()
  }

  async function live() {
    ports.PORT = await freePort()
    ports.INTERNAL_PORT = await freePort()
    const out = openSync(options.logFile, 'a')
    const args = ['--disable-warning=TimeoutNegativeWarning', '--import', withParent, program]
    const env = { ...options.env, PORT: String(ports.PORT), INTERNAL_PORT: String(ports.INTERNAL_PORT) }
    // A group of its own: Ctrl-C is heard by the launcher alone, which stops things in order.
    const started = spawn(process.execPath, args, { env, detached: true, stdio: ['ignore', out, out, 'ipc'] })
    closeSync(out)
    child = started
    let over = false
    const gone = new Promise<void>((resolve) => {
      started.once('error', () => resolve())
      started.once('exit', () => resolve())
    }).then(() => {
      over = true
    })
    if (stopped) started.kill('SIGTERM')
    const internalUrl = `http://127.0.0.1:${ports.INTERNAL_PORT}`
    change({ pid: started.pid, starts: sight.starts + 1, internalUrl })
    const startedAt = performance.now()
    while (!over && !(await answers(ports.PORT))) await Promise.race([gone, sleep(LOOK_EVERY_MS)])
    if (!over && !stopped) {
      change({ ready: true })
      firstReady.resolve()
    }
    await gone
    change({ ready: false, pid: undefined, internalUrl: undefined })
    failures = performance.now() - startedAt > WELL_AFTER_MS ? 0 : failures + 1
  }

  const answers = (port: number) =>
    fetch(`http://127.0.0.1:${port}${options.readyPath}`, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.ok,
      () => false,
    )

  const running = (async () => {
    while (!stopped) {
      await live().catch((error) => log.error({ err: error, process: name }, 'process could not be started'))
      if (stopped) return
      log.warn({ process: name, failures }, 'process ended, starting it again')
      if (failures === GIVE_UP_AFTER) firstReady.reject(new Error(`${name} does not start; see ${options.logFile}`))
      await bell.wait(Math.min(50 * 2 ** failures, MAX_PAUSE_MS))
    }
  })()

  return {
    sight: (): Readonly<Sight> => sight,
    ports: (): Readonly<typeof ports> => ports,
    /** Rejects when it ended again and again before it was ready once. */
    ready: firstReady.promise,
    stop: async () => {
      stopped = true
      // Nobody new is sent to it, while it answers those who come.
      change({ ready: false })
      bell.ring()
      child?.kill('SIGTERM')
      const drainMs = Number(options.env.DRAIN_SECONDS ?? 0) * 1_000
      const late = setTimeout(() => child?.kill('SIGKILL'), drainMs + STOP_WITHIN_MS)
      await running
      clearTimeout(late)
    },
  }
}

export type Replica = ReturnType<typeof startReplica>
