import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@nifty/dev-servers/free-port'
import type { Log } from '@nifty/service-kit/base/logs'
import { HEAP, processSettings } from '@nifty/service-kit/base/process-settings'
import { createWakeSignal } from '@nifty/service-kit/base/wake-signal'
import { replicaStopLimitMs } from './stop-limit.ts'

const withParent = join(import.meta.dirname, 'with-parent.ts')
const PROBE_INTERVAL_MS = 100
const SETTINGS = processSettings(HEAP.cluster)
/** A process that ran this long was healthy: it is restarted without delay. */
const HEALTHY_AFTER_MS = 10_000
const MAX_RESTART_DELAY_MS = 10_000
const MAX_FAILED_STARTS = 5

type ReplicaOptions = {
  name: string
  program: string
  env: NodeJS.ProcessEnv
  nodeArguments?: string[]
  /** The file that its output is appended to, or the stream that has its log lines. */
  output: string | Writable
  /** Readiness probe: returns 200 once the process accepts requests. */
  readyPath: string
  /** Of its ports; default `http`. */
  scheme?: 'http' | 'https'
  log: Log
  onChange: () => void
}

/** The state of a process, as `cluster.json` shows it. */
export type ReplicaStatus = {
  name: string
  program: string
  pid: number | undefined
  ready: boolean
  starts: number
  /** Of this process alone, for benchmarks and for `/metrics`; all others use the balancer. */
  url: string | undefined
  internalUrl: string | undefined
}

/** Keeps one process running, as a kubelet does: restarts it when it exits, with back-off if it exits at once. */
export function startReplica(options: ReplicaOptions) {
  const { name, program, scheme = 'http', log, onChange } = options
  const stoppedStatus = { pid: undefined, ready: false, url: undefined, internalUrl: undefined }
  const status: ReplicaStatus = { name, program, starts: 0, ...stoppedStatus }
  const ports = { PORT: 0, INTERNAL_PORT: 0 }
  const wakeSignal = createWakeSignal()
  const firstReady = Promise.withResolvers<void>()
  firstReady.promise.catch(() => {})
  let stopped = false
  let child: ReturnType<typeof spawn> | undefined
  let failures = 0

  const change = (changes: Partial<ReplicaStatus>) => {
    Object.assign(status, changes)
    onChange()
  }

  async function runOnce() {
    ports.PORT = await freePort()
    ports.INTERNAL_PORT = await freePort()
    const { output } = options
    const file = typeof output === 'string' ? openSync(output, 'a') : undefined
    const args = [...SETTINGS.arguments, ...(options.nodeArguments ?? []), '--import', withParent, program]
    const env = {
      ...SETTINGS.env,
      ...options.env,
      PORT: String(ports.PORT),
      INTERNAL_PORT: String(ports.INTERNAL_PORT),
    }
    // A process group of its own: Ctrl-C reaches the launcher only, which stops the processes in order.
    const started = spawn(process.execPath, args, {
      env,
      detached: true,
      stdio: ['ignore', file ?? 'pipe', file ?? 'inherit', 'ipc'],
    })
    if (file !== undefined) closeSync(file)
    if (typeof output !== 'string') started.stdout?.pipe(output, { end: false })
    child = started
    let ended = false
    const exited = new Promise<void>((resolve) => {
      started.once('error', () => resolve())
      started.once('exit', () => resolve())
    }).then(() => {
      ended = true
    })
    if (stopped) started.kill('SIGTERM')
    const urls = { url: urlOf(ports.PORT), internalUrl: urlOf(ports.INTERNAL_PORT) }
    change({ pid: started.pid, starts: status.starts + 1, ...urls })
    const startedAt = performance.now()
    while (!ended && !(await isReady(ports.PORT))) await Promise.race([exited, sleep(PROBE_INTERVAL_MS)])
    if (!ended && !stopped) {
      change({ ready: true })
      firstReady.resolve()
    }
    await exited
    change(stoppedStatus)
    failures = performance.now() - startedAt > HEALTHY_AFTER_MS ? 0 : failures + 1
  }

  const urlOf = (port: number) => `${scheme}://127.0.0.1:${port}`
  const isReady = (port: number) =>
    fetch(`${urlOf(port)}${options.readyPath}`, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.ok,
      () => false,
    )

  const running = (async () => {
    while (!stopped) {
      await runOnce().catch((error) =>
        log.error({ err: error, process: name }, 'cluster: process could not be started, retrying'),
      )
      if (stopped) return
      log.warn({ process: name, failures }, 'cluster: process exited, restarting it')
      if (failures === MAX_FAILED_STARTS)
        firstReady.reject(
          new Error(
            `${name} does not start; see ${typeof options.output === 'string' ? options.output : 'its output'}`,
          ),
        )
      await wakeSignal.wait(Math.min(50 * 2 ** failures, MAX_RESTART_DELAY_MS))
    }
  })()

  return {
    status: (): Readonly<ReplicaStatus> => status,
    ports: (): Readonly<typeof ports> => ports,
    /** Rejects after repeated exits before the first readiness. */
    ready: firstReady.promise,
    /** Ends the process with SIGTERM, or its restart delay: it starts anew at once. */
    restart: () => {
      failures = 0
      wakeSignal.wake()
      child?.kill('SIGTERM')
    },
    stop: async () => {
      stopped = true
      // The balancer sends it no new connections while it drains.
      change({ ready: false })
      wakeSignal.wake()
      child?.kill('SIGTERM')
      const late = setTimeout(() => child?.kill('SIGKILL'), replicaStopLimitMs(options.env))
      await running
      clearTimeout(late)
    },
  }
}

export type Replica = ReturnType<typeof startReplica>
