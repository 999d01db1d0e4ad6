import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { internalUrlVariable, type ServiceName, servicesCalledBy } from '@nifty/api/services'
import { endWithParent } from '@nifty/dev-servers/end-with-parent'
import { freePort } from '@nifty/dev-servers/free-port'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { stopProcess } from '@nifty/dev-servers/stop-process'
import { HEAP, processSettings } from '@nifty/service-kit/base/process-settings'
import { serviceKeys } from '@nifty/service-kit/http/service-keys'
import { readProcess } from '../processes/processes.ts'

const POLL_MS = 5
const settings = processSettings(HEAP.cluster)

/**
 * CPU time, ms, of a service's process from its start until its public port accepts connections: the second start, when
 * its database exists and compiled code is cached. The services that it calls are not running.
 */
export async function cpuUntilListening(folder: string, name: ServiceName): Promise<number> {
  const postgres = await startPostgres({ folder: join(folder, 'service-alone'), durable: true })
  const program = join(import.meta.dirname, '../../../../../services', name, 'src/main.ts')
  const peers = servicesCalledBy(name).map((peer) => [internalUrlVariable(peer), 'http://127.0.0.1:1'])
  const env = {
    ...process.env,
    ...serviceKeys(name, randomUUID()),
    ...Object.fromEntries(peers),
    HOST: '127.0.0.1',
    POSTGRES_URL: postgres.url,
    STORE_ID: 'bench',
    LOG_LEVEL: 'fatal',
    ...settings.env,
  }
  async function startOnce() {
    const port = await freePort()
    const own = { ...env, PORT: String(port), INTERNAL_PORT: String(await freePort()) }
    const child = spawn(process.execPath, [...settings.arguments, program], {
      env: own,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    endWithParent(child, 'SIGTERM')
    try {
      while (!(await isListening(port))) {
        if (child.exitCode !== null) throw new Error(`${name} ended with code ${child.exitCode}`)
        await sleep(POLL_MS)
      }
      return readProcess(child.pid!).cpuMs
    } finally {
      await stopProcess(child)
    }
  }
  try {
    await startOnce()
    return await startOnce()
  } finally {
    await postgres.stop()
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' })
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}
