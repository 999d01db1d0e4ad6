import { performance } from 'node:perf_hooks'
import { createLog } from '@nifty/service-kit/logs'
import { openHome } from './home.ts'
import { type Engine, launch } from './launch.ts'
import { readSettings } from './settings.ts'

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
    const store = await launch({ engine, settings, home, log, say, onStop, onLost })
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

function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  return code === 'EADDRINUSE' ? `Port ${port} is taken by another program. Stop that, or set PORT.` : error.message
}
