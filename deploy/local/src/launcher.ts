import { performance } from 'node:perf_hooks'
import { processorWebhook } from '@nifty/api/payments/public'
import { createLog } from '@nifty/service-kit/base/logs'
import { type DataDir, openDataDir, readSecrets, type Secrets, writeProcesses } from '@nifty/testkit/data-dir'
import { startDependencies } from './dependencies/dependencies.ts'
import { builtFrontEnd } from './front-end/front-end.ts'
import { readSettings, type Settings } from './settings.ts'
import type { StartStore } from './start.ts'

/** How a launcher runs the store: in one process, or as a cluster. */
type Mode = {
  load: () => Promise<StartStore>
  /** Dependencies that only one of the modes needs. */
  needs: { kafka: boolean; redis: boolean }
}

const print = (text: string) => process.stdout.write(`${text}\n`)

/** Runs a store until it is stopped: starts dependencies and store, prints `ready <url>`, stops all of it on SIGINT. */
export async function runLauncher(mode: Mode, env: NodeJS.ProcessEnv) {
  let stopping: Promise<void> | undefined
  let stop = async () => {}

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      stopping ??= stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })

  const onLost = (message: string) => {
    if (stopping) return
    process.stderr.write(`${message}\n`)
    process.exit(1)
  }

  try {
    const settings = readSettings(env, process.argv.slice(2))
    const dataDir = await openDataDir(settings.dataDir, settings)
    const log = createLog({ name: 'store', level: settings.logLevel, file: dataDir.file('store.log') })
    const onStop = (stopper: typeof stop) => {
      stop = stopper
    }
    const secrets = await readSecrets(dataDir)
    const starting = startMissing({ mode, settings, dataDir, secrets })
    starting.catch(() => {})
    const webRoot = builtFrontEnd()
    webRoot.catch(() => {})
    // Importing the store's code takes as long as starting its dependencies: both at the same time.
    const [{ start }, startStore] = await Promise.all([import('./start.ts'), mode.load()])
    const dependencies = await starting
    onStop(dependencies.stop)
    dependencies.exited.then(() =>
      onLost(`A dependency of the store ended; see ${dependencies.logFile}. Start the store again: no data is lost.`),
    )
    await writeProcesses(dataDir, {
      store: process.pid,
      dependencies: dependencies.pid,
      chain: dependencies.chainPid,
    })
    const store = await start({ startStore, settings, dataDir, secrets, dependencies, webRoot, log, print, onStop })
    print(store.banner)
    print(`ready ${settings.publicUrl}`)
    log.info({ ms: Math.round(performance.now()) }, 'store is ready')
    store.startBackground()
  } catch (error) {
    if (stopping) return
    process.stderr.write(`${messageOf(error)}\n`)
    stopping = stop()
    await stopping.catch(() => {})
    process.exit(1)
  }
}

/** Starts the dependencies that no environment variable names. */
const startMissing = ({
  mode,
  settings,
  dataDir,
  secrets,
}: {
  mode: Mode
  settings: Settings
  dataDir: DataDir
  secrets: Secrets
}) =>
  startDependencies(dataDir, {
    folder: dataDir.folder,
    postgres: !settings.postgresUrl,
    chain: settings.chainRpcUrl ? undefined : { blockMs: settings.chainBlockMs },
    mailbox: !settings.smtpUrl,
    kafka: mode.needs.kafka && !settings.kafkaBrokers,
    redis: mode.needs.redis && !settings.redisUrl,
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
  return code === 'EADDRINUSE' ? `Port ${port} is in use by another program. Stop that, or set PORT.` : error.message
}
