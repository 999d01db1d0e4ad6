import { performance } from 'node:perf_hooks'
import { createLog } from '@nifty/service-kit/logs'
import { type Home, openHome, readSecrets, type Secrets, writeProcesses } from './data-dir.ts'
import { startOutside } from './dependencies/dependencies.ts'
import type { StartStore } from './launch.ts'
import { readSettings, type Settings } from './settings.ts'
import { builtSite } from './store/site.ts'

/** How the store is run, and what it is run on. */
export type Engine = {
  load: () => Promise<StartStore>
  /** Parts that this engine needs, and the other does not. */
  parts: { kafka: boolean; redis: boolean }
}

const say = (text: string) => process.stdout.write(`${text}\n`)

/** The whole of a launcher's `main.ts`: brings everything up, says `ready`, and takes everything down at Ctrl-C. */
export async function runLauncher(engine: Engine, env: NodeJS.ProcessEnv) {
  let stopping: Promise<void> | undefined
  let stop = async () => {}

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      stopping ??= stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })

  const onLost = (why: string) => {
    if (stopping) return
    process.stderr.write(`${why}\n`)
    process.exit(1)
  }

  try {
    const settings = readSettings(env, process.argv.slice(2))
    const home = await openHome(settings.home, settings)
    const log = createLog({ name: 'store', level: settings.logLevel, file: home.file('store.log') })
    const onStop = (stopper: typeof stop) => {
      stop = stopper
    }
    const secrets = await readSecrets(home)
    const starting = bringOutside({ engine, settings, home, secrets })
    starting.catch(() => {})
    const webRoot = builtSite()
    webRoot.catch(() => {})
    // Reading the store's code takes as long as its surroundings take to start.
    const [{ launch }, startStore] = await Promise.all([import('./launch.ts'), engine.load()])
    const outside = await starting
    onStop(outside.stop)
    outside.gone.then(() =>
      onLost(`What runs around the store ended; see ${home.file('outside.log')}. Start it again: nothing is lost.`),
    )
    await writeProcesses(home, { store: process.pid, outside: outside.pid, chain: outside.chainPid })
    const store = await launch({ startStore, settings, home, secrets, outside, webRoot, log, say, onStop })
    say(store.banner)
    say(`ready ${settings.publicUrl}`)
    log.info({ ms: Math.round(performance.now()) }, 'ready')
  } catch (error) {
    if (stopping) return
    process.stderr.write(`${inWords(error)}\n`)
    stopping = stop()
    await stopping.catch(() => {})
    process.exit(1)
  }
}

/** Brings what no variable names. */
const bringOutside = ({
  engine,
  settings,
  home,
  secrets,
}: {
  engine: Engine
  settings: Settings
  home: Home
  secrets: Secrets
}) =>
  startOutside(home, {
    folder: home.folder,
    postgres: !settings.postgresUrl,
    chain: !settings.chainRpcUrl,
    mailbox: !settings.smtpUrl,
    kafka: engine.parts.kafka && !settings.kafkaBrokers,
    redis: engine.parts.redis && !settings.redisUrl,
    processor: settings.stripeKey
      ? undefined
      : {
          secretKey: secrets.stripeKey,
          webhookSecret: secrets.stripeWebhookSecret,
          webhookUrl: `http://127.0.0.1:${settings.port}/api/payments/webhook`,
        },
  })

function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  return code === 'EADDRINUSE' ? `Port ${port} is taken by another program. Stop that, or set PORT.` : error.message
}
