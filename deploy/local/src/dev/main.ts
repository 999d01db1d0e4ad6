import { clusterStopLimitMs } from '../cluster/stop-limit.ts'
import { runLauncher } from '../launcher.ts'
import { refuseTakenPorts } from '../port-in-use.ts'
import type { StartStore } from '../start.ts'
import { prettyOutput } from './logs.ts'
import { changesMails, startMailPreview } from './mail-preview.ts'
import { readPorts } from './ports.ts'
import { startVite } from './vite.ts'
import { changedPrograms, watchSources } from './watch.ts'

const ports = readPorts(process.env)
/**
 * Its own data directory: a restart while code is half written may leave data that the other stores should not meet.
 */
const NIFTY_HOME = process.env.NIFTY_HOME || '.nifty-dev'
const PUBLIC_URL = process.env.PUBLIC_URL || `http://localhost:${ports.web}`

/** Every service and the gateway as a process with an inspector, restarted when a file that it runs changes. */
async function load(): Promise<StartStore> {
  const [{ startCluster }, { programs }] = await Promise.all([
    import('../cluster/cluster.ts'),
    import('@nifty/api/services'),
  ])
  return async (options) => {
    const vite = startVite({ port: ports.web, storeUrl: `http://localhost:${options.port}` })
    const cluster = await startCluster(options, {
      output: prettyOutput,
      nodeArguments: (name) => [`--inspect=127.0.0.1:${ports.inspectorOf(name)}`],
    })
    await vite.ready
    const mails = startMailPreview(ports.mails, { PUBLIC_URL })
    const watcher = watchSources((files) => {
      if (files.some(changesMails)) mails.restart()
      const names = [...new Set(files.flatMap((file) => changedPrograms(file, programs)))]
      if (names.length === 0) return
      options.log.info({ files, programs: names }, 'dev: source changed, restarting')
      cluster.restart(names)
    })
    const stop = async () => {
      await watcher.stop()
      await mails.stop()
      await vite.stop()
      await cluster.stop()
    }
    return { ...cluster, stop }
  }
}

try {
  await refuseTakenPorts(ports.all)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
await runLauncher(
  {
    load,
    needs: { kafka: false, redis: false, pooler: false, objectStorage: false },
    stopWithinMs: clusterStopLimitMs(process.env),
  },
  { ...process.env, NIFTY_HOME, PUBLIC_URL },
)
