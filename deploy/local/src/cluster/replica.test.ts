import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunning } from '@nifty/dev-servers/is-running'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { testLog } from '@nifty/service-kit/testing/log'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type ReplicaStatus, startReplica } from './replica.ts'

const WAIT = { timeout: 30_000, interval: 50 }

/** A replica that runs `code`, with each status that `onChange` reported. */
async function startTestReplica(code: string) {
  const folder = await temporaryFolder('replica')
  const program = join(folder, 'program.mjs')
  const logFile = join(folder, 'log')
  await writeFile(program, code)
  const reported: ReplicaStatus[] = []
  const options = { name: 'thing-1', program, env: process.env, output: logFile, readyPath: '/readyz', log: testLog }
  const replica = startReplica({ ...options, onChange: () => reported.push({ ...replica.status() }) })
  onTestFinished(replica.stop)
  const rewrite = (changed: string) => writeFile(program, changed)
  return { replica, reported, rewrite, output: () => readFile(logFile, 'utf8') }
}

const server = `
  import { createServer } from 'node:http'
  process.on('SIGTERM', () => { console.log('stopping gracefully'); process.exit(0) })
  let requests = 0
  createServer((_, response) => {
    response.statusCode = ++requests < 3 ? 503 : 200
    response.end()
  }).listen(Number(process.env.PORT), '127.0.0.1')
`

test('a process is ready only after its readiness probe succeeds', async () => {
  const { replica, reported } = await startTestReplica(server)
  await replica.ready
  expect(reported.at(0)).toMatchObject({ ready: false, starts: 1 })
  expect(replica.status()).toMatchObject({ ready: true, starts: 1, pid: expect.any(Number) })
})

test('a killed process is restarted', async () => {
  const { replica } = await startTestReplica(server)
  await replica.ready
  const first = replica.status().pid!
  process.kill(first, 'SIGKILL')
  await vi.waitUntil(() => replica.status().starts === 2 && replica.status().ready, WAIT)
  expect(replica.status().pid).not.toBe(first)
})

test('a process is restarted on request, gracefully and at once even after it failed to start', async () => {
  const { replica, output, rewrite } = await startTestReplica(server)
  await replica.ready
  await rewrite(`process.exit(3)`)
  replica.restart()
  await vi.waitUntil(() => replica.status().starts > 4, WAIT)
  expect(await output()).toContain('stopping gracefully')
  await rewrite(server)
  replica.restart()
  await vi.waitUntil(() => replica.status().ready, WAIT)
})

test('the error of a process that cannot start names it and its log file', async () => {
  const { replica, output } = await startTestReplica(`console.error('no key'); process.exit(3)`)
  await expect(replica.ready).rejects.toThrow(/^thing-1 does not start; see .*log$/)
  expect(await output()).toContain('no key')
})

test('a stopped process becomes unready, exits gracefully and is not restarted', async () => {
  const { replica, reported, output } = await startTestReplica(server)
  await replica.ready
  const { pid } = replica.status()
  await replica.stop()
  expect(reported[2]).toMatchObject({ ready: false, pid })
  expect(await output()).toContain('stopping gracefully')
  expect(isRunning(pid!)).toBe(false)
  expect(replica.status()).toMatchObject({ starts: 1, ready: false, pid: undefined })
})
