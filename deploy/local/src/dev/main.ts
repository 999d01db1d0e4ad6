import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { programs } from '@nifty/api/services'
import { endWithParent } from '@nifty/dev-servers/end-with-parent'
import { stopProcess } from '@nifty/dev-servers/stop-process'
import { clusterStopLimitMs } from '../cluster/stop-limit.ts'
import { runLauncher } from '../launcher.ts'
import type { StartStore } from '../start.ts'
import { changesMails, startMailPreview } from './mail-preview.ts'
import { changedPrograms, watchSources } from './watch.ts'

const WEB_PORT = 5173
const MAILS_PORT = 5174
const FIRST_INSPECTOR_PORT = 9230
const webFolder = join(import.meta.dirname, '../../../../web')

/**
 * Its own data directory: a restart while code is half written may leave data that the other stores should not meet.
 */
const NIFTY_HOME = process.env.NIFTY_HOME || '.nifty-dev'
const PUBLIC_URL = process.env.PUBLIC_URL || `http://localhost:${WEB_PORT}`

/** Vite with hot reload in front of the store, which gets the requests for its API and files. */
function startVite(storeUrl: string) {
  const vite = createRequire(join(webFolder, 'package.json')).resolve('vite/package.json')
  const args = [join(dirname(vite), 'bin/vite.js'), '--port', String(WEB_PORT), '--strictPort']
  const child = spawn(process.execPath, args, {
    cwd: webFolder,
    env: { ...process.env, STORE_URL: storeUrl },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  endWithParent(child, 'SIGTERM')
  return { stop: () => stopProcess(child) }
}

/** Every service and the gateway as a process with an inspector, restarted when a file that it runs changes. */
async function load(): Promise<StartStore> {
  const { startCluster } = await import('../cluster/cluster.ts')
  return async (options) => {
    const cluster = await startCluster(options, {
      output: 'inherit',
      nodeArguments: (name) => [`--inspect=127.0.0.1:${FIRST_INSPECTOR_PORT + programs.indexOf(name)}`],
    })
    const vite = startVite(`http://localhost:${options.port}`)
    const mails = startMailPreview(MAILS_PORT, { PUBLIC_URL })
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

await runLauncher(
  { load, needs: { kafka: false, redis: false }, stopWithinMs: clusterStopLimitMs(process.env) },
  { ...process.env, NIFTY_HOME, PUBLIC_URL },
)
