import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from '../repo-rules/tree.ts'

/** The office of the store on a data directory, at the address that it prints. */
export async function startOffice(home: string) {
  const env = { ...process.env, NIFTY_HOME: home }
  const command = [join(root, 'deploy/ops/src/main.ts'), 'office']
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = await once(child.stdout, 'data')
  const kill = () => child.kill('SIGTERM')
  process.once('exit', kill)
  const stop = () => {
    process.off('exit', kill)
    kill()
  }
  return { url: /http\S+/.exec(String(printed))![0], stop }
}
