import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { isRunning } from './is-running.ts'
import { temporaryFolder } from './temporary-folder.ts'

test('the servers of a killed process end', async () => {
  const folder = await temporaryFolder('servers')
  const parent = spawn(process.execPath, [join(import.meta.dirname, 'testing/servers.main.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pids: number[] = JSON.parse(String((await once(parent.stdout, 'data'))[0]))
  expect(pids.map(isRunning)).toEqual([true, true, true])

  parent.kill('SIGKILL')

  await vi.waitUntil(() => !pids.some(isRunning), { timeout: 30_000, interval: 50 })
})
