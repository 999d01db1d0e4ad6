import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testLog } from '@nifty/service-kit/testing/log'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Sight, startReplica } from './replica.ts'

const PATIENCE = { timeout: 30_000, interval: 50 }

/** A process that runs `code`, kept alive; each sight of it that was told. */
async function keep(code: string) {
  const folder = await mkdtemp(join(tmpdir(), 'nifty-replica-'))
  const program = join(folder, 'program.mjs')
  const logFile = join(folder, 'log')
  await writeFile(program, code)
  const told: Sight[] = []
  const options = { name: 'thing-1', program, env: process.env, logFile, readyPath: '/readyz', log: testLog }
  const replica = startReplica({ ...options, onChange: () => told.push({ ...replica.sight() }) })
  onTestFinished(async () => {
    await replica.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return { replica, told, said: () => readFile(logFile, 'utf8') }
}

const server = `
  import { createServer } from 'node:http'
  process.on('SIGTERM', () => { console.log('stopping in order'); process.exit(0) })
  let asked = 0
  createServer((_, response) => {
    response.statusCode = ++asked < 3 ? 503 : 200
    response.end()
  }).listen(Number(process.env.PORT), '127.0.0.1')
`
const lives = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a process counts only once it says that it is ready', async () => {
  const { replica, told } = await keep(server)
  await replica.ready
  expect(told.at(0)).toMatchObject({ ready: false, starts: 1 })
  expect(replica.sight()).toMatchObject({ ready: true, starts: 1, pid: expect.any(Number) })
})

test('a process that is killed is started again', async () => {
  const { replica } = await keep(server)
  await replica.ready
  const first = replica.sight().pid!
  process.kill(first, 'SIGKILL')
  await vi.waitUntil(() => replica.sight().starts === 2 && replica.sight().ready, PATIENCE)
  expect(replica.sight().pid).not.toBe(first)
})

test('a process that cannot start is named, with the file that tells why', async () => {
  const { replica, said } = await keep(`console.error('no key'); process.exit(3)`)
  await expect(replica.ready).rejects.toThrow(/^thing-1 does not start; see .*log$/)
  expect(await said()).toContain('no key')
})

test('a process that is stopped is not ready any more, ends in order and is not started again', async () => {
  const { replica, told, said } = await keep(server)
  await replica.ready
  const { pid } = replica.sight()
  await replica.stop()
  expect(told[2]).toMatchObject({ ready: false, pid })
  expect(await said()).toContain('stopping in order')
  expect(lives(pid!)).toBe(false)
  expect(replica.sight()).toMatchObject({ starts: 1, ready: false, pid: undefined })
})
