import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent } from '@nifty/dev-servers/end-with-parent'
import { stopProcess } from '@nifty/dev-servers/stop-process'

const PROBE_INTERVAL_MS = 100
const webFolder = join(import.meta.dirname, '../../../../web')

/**
 * Vite with hot reload in front of the store, which gets the requests for its API and files. `ready` resolves once it
 * responds, and rejects when it exits before.
 */
export function startVite({ port, storeUrl }: { port: number; storeUrl: string }) {
  const vite = createRequire(join(webFolder, 'package.json')).resolve('vite/package.json')
  const args = [join(dirname(vite), 'bin/vite.js'), '--port', String(port), '--strictPort']
  const child = spawn(process.execPath, args, {
    cwd: webFolder,
    env: { ...process.env, STORE_URL: storeUrl },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  endWithParent(child, 'SIGTERM')
  const exited = new Promise<never>((_resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`Vite ended with code ${code}.`)))
  })
  exited.catch(() => {})
  const responds = () =>
    fetch(`http://localhost:${port}/`, { headers: { accept: 'text/html' } }).then(
      ({ ok }) => ok,
      () => false,
    )
  const untilReady = async () => {
    while (!(await responds())) await sleep(PROBE_INTERVAL_MS)
  }
  return { ready: () => Promise.race([untilReady(), exited]), stop: () => stopProcess(child) }
}
