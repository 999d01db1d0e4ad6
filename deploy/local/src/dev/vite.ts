import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { endWithParent } from '@nifty/dev-servers/end-with-parent'
import { stopProcess } from '@nifty/dev-servers/stop-process'

const webFolder = join(import.meta.dirname, '../../../../web')

/**
 * Vite with hot reload in front of the store, which gets the requests for its API and files. `ready` resolves once it
 * listens, by the line that it prints, and rejects when it exits before.
 */
export function startVite({ port, storeUrl }: { port: number; storeUrl: string }) {
  const vite = createRequire(join(webFolder, 'package.json')).resolve('vite/package.json')
  const args = [join(dirname(vite), 'bin/vite.js'), '--port', String(port), '--strictPort']
  const child = spawn(process.execPath, args, {
    cwd: webFolder,
    env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), STORE_URL: storeUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithParent(child, 'SIGTERM')
  const ready = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`Vite ended with code ${code}.`)))
    child.stdout.on('data', (text: Buffer) => {
      process.stdout.write(text)
      if (text.includes('ready in')) resolve()
    })
  })
  ready.catch(() => {})
  return { ready, stop: () => stopProcess(child) }
}
