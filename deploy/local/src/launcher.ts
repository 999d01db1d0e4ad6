import { performance } from 'node:perf_hooks'
import { processorWebhook } from '@nifty/api/payments/public'
import { createLog } from '@nifty/service-kit/base/logs'
import { progressLine } from '@nifty/service-kit/base/progress-line'
import { type DataDir, openDataDir, readSecrets, type Secrets, writeProcesses } from '@nifty/testkit/data-dir'
import { type DependencyOptions, forkDependencies } from './dependencies/dependencies.ts'
import { builtFrontEnd } from './front-end/front-end.ts'
import { portInUse, refuseTakenPorts } from './port-in-use.ts'
import { readSettings, type Settings } from './settings.ts'
import type { StartStore } from './start.ts'

/** How a launcher runs the store: in one process, or as a cluster. */
type Mode = {
  load: () => Promise<StartStore>
  /** Dependencies that only one of the modes needs. */
  needs: { kafka: boolean; redis: boolean; pooler: boolean; objectStorage: boolean }
  /** Time of a stop; then the launcher exits, and its child processes end with it. */
  stopWithinMs?: number
}

const STOP_WITHIN_MS = 20_000

const progress = progressLine()
const print = (text: string) => {
  progress.clear()
  process.stdout.write(`${text}\n`)
}

/**
 * Runs a store until it is stopped: starts dependencies and store, prints `ready <url>`, stops all of it on SIGINT,
 * SIGTERM, or with a parent that holds an IPC channel (a test). A second SIGINT or SIGTERM, or a stop that takes too
 * long, ends it at once.
 */
export async function runLauncher(mode: Mode, env: NodeJS.ProcessEnv) {
  let stopping = false
  let stop = async () => {}

  const exit = (message: string) => {
    process.stderr.write(`${message}\n`)
    process.exit(1)
  }
  const { stopWithinMs = STOP_WITHIN_MS } = mode
  const stopAll = (code: 0 | 1) => {
    if (stopping) return
    stopping = true
    setTimeout(() => exit(`The store did not stop within ${stopWithinMs / 1_000} s: ended.`), stopWithinMs)
    stop().then(
      () => process.exit(code),
      () => process.exit(1),
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => (stopping ? exit('Ended before the store had stopped.') : stopAll(0)))
  process.once('SIGHUP', () => stopAll(0))
  process.once('disconnect', () => stopAll(0))

  const onLost = (message: string) => {
    if (!stopping) exit(message)
  }

  try {
    const settings = readSettings(env, process.argv.slice(2))
    const dataDir = await openDataDir(settings.dataDir, settings)
    await refuseTakenPorts([{ port: settings.port, variable: 'PORT' }])
    const log = createLog({ name: 'store', level: settings.logLevel, file: dataDir.file('store.log') })
    const onStop = (stopper: typeof stop) => {
      stop = stopper
    }
    const secrets = await readSecrets(dataDir)
    const dependencies = forkDependencies(dataDir)
    onStop(dependencies.stop)
    const processes = { store: process.pid, dependencies: dependencies.pid }
    await writeProcesses(dataDir, processes)
    progress.show('Starting the servers that no variable names')
    const starting = dependencies.start(missingOf({ mode, settings, dataDir, secrets }))
    starting.catch(() => {})
    const webRoot = builtFrontEnd()
    webRoot.catch(() => {})
    // Importing the store's code takes as long as starting its dependencies: both at the same time.
    const [{ start }, startStore] = await Promise.all([import('./start.ts'), mode.load()])
    const addresses = await starting
    dependencies.exited.then(() =>
      onLost(`A dependency of the store ended; see ${dependencies.logFile}. Start the store again: no data is lost.`),
    )
    await writeProcesses(dataDir, { ...processes, chain: addresses.chainPid })
    const running = { ...dependencies, ...addresses }
    const store = await start({
      startStore,
      settings,
      dataDir,
      secrets,
      dependencies: running,
      webRoot,
      log,
      print,
      showProgress: progress.show,
      onStop,
    })
    print(store.banner)
    print(`ready ${settings.publicUrl}`)
    log.info({ ms: Math.round(performance.now()) }, 'store is ready')
    store.startBackground()
  } catch (error) {
    if (stopping) return
    progress.clear()
    process.stderr.write(`${messageOf(error)}\n`)
    stopAll(1)
  }
}

/** The dependencies that no environment variable names. */
const missingOf = ({
  mode,
  settings,
  dataDir,
  secrets,
}: {
  mode: Mode
  settings: Settings
  dataDir: DataDir
  secrets: Secrets
}): DependencyOptions => ({
  folder: dataDir.folder,
  postgres: !settings.postgresUrl,
  pooler: mode.needs.pooler && settings.pooler,
  chain: settings.chainRpcUrl ? undefined : { blockMs: settings.chainBlockMs },
  mailbox: !settings.smtpUrl,
  kafka: mode.needs.kafka && !settings.kafkaBrokers,
  redis: mode.needs.redis && !settings.redisUrl,
  objectStorage: mode.needs.objectStorage && settings.objectStorage && !settings.env.UPLOADS_URL,
  processor: settings.stripeKey
    ? undefined
    : {
        secretKey: secrets.stripeKey,
        webhookSecret: secrets.stripeWebhookSecret,
        webhookUrl: `http://127.0.0.1:${settings.port}${processorWebhook.path}`,
      },
})

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  return code === 'EADDRINUSE' ? portInUse(port, 'PORT') : error.message
}
