import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isRunning } from '@nifty/dev-servers/is-running'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { TestImageJobs } from '../testing/image-jobs.main.ts'
import { testLog } from '../testing/log.ts'
import { createImageProcess } from './image-process.ts'

const folder = join(import.meta.dirname, '../testing')

function givenImageProcess(
  limits: { idleMs?: number; jobLimitMs?: number; maxWaiting?: number; maxWaitingPerAccount?: number } = {},
) {
  const program = join(folder, 'image-jobs.main.ts')
  const images = createImageProcess<TestImageJobs>({ program, log: testLog, ...limits })
  onTestFinished(images.stop)
  return images
}

const notProcessed = { statusCode: 503, code: 'image_not_processed' }

const hasEnded = (pid: number) => !isRunning(pid)

test('jobs run in another process, and images stay buffers', async () => {
  const { run } = givenImageProcess()
  expect(await run({}, 'pid')).not.toBe(process.pid)
  expect(await run({}, 'echo', Buffer.alloc(3_000_000, 'pixels'))).toEqual(Buffer.alloc(3_000_000, 'pixels'))
})

test('a refusal keeps its status and code, and any other error is the error of a bug', async () => {
  const { run } = givenImageProcess()
  await expect(run({}, 'refuse')).rejects.toMatchObject({ statusCode: 400, code: 'not_an_image' })
  await expect(run({}, 'fail')).rejects.toThrow(new TypeError('a bug'))
})

test('a process that crashes fails its jobs with a 503, and the next job starts another', async () => {
  const { run } = givenImageProcess()
  const pid = await run({}, 'pid')

  const jobs = await Promise.allSettled([run({}, 'hang'), run({}, 'crash')])

  for (const job of jobs) expect(job).toMatchObject({ status: 'rejected', reason: notProcessed })
  expect(await run({}, 'pid')).not.toBe(pid)
})

test('a process that is killed between two jobs is replaced', async () => {
  const { run } = givenImageProcess()
  const pid = await run({}, 'pid')
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(() => expect(hasEnded(pid)).toBe(true))
  // A job that is sent before this process has heard of the end fails alone, as one that the child was killed in.
  await vi.waitFor(async () => expect(await run({}, 'pid')).not.toBe(pid))
})

test('a job beyond its time limit is ended', async () => {
  const { run } = givenImageProcess({ jobLimitMs: 100 })
  await expect(run({}, 'hang')).rejects.toMatchObject(notProcessed)
})

test('jobs beyond the places and the queue are a 429', async () => {
  const { run, stop } = givenImageProcess({ maxWaiting: 1 })
  await run({}, 'pid')
  const jobs = [run({}, 'hang'), run({}, 'hang'), run({}, 'pid')]

  await expect(run({}, 'pid')).rejects.toMatchObject({ statusCode: 429 })

  stop()
  await Promise.allSettled(jobs)
})

test('of one account only its share waits, and jobs of a page run before', async () => {
  const { run } = givenImageProcess({ maxWaiting: 10, maxWaitingPerAccount: 1 })
  const ended: string[] = []
  const after = (name: string) => () => void ended.push(name)
  const running = [run({}, 'echo', Buffer.alloc(1_000)), run({}, 'echo', Buffer.alloc(1_000))]
  const mint = run({ account: 'ada' }, 'pid').then(after('mint'))
  const avif = run({ order: 'last' }, 'pid').then(after('avif'))
  const second = run({ account: 'ada' }, 'pid')
  const page = run({ order: 'first' }, 'pid').then(after('page'))

  await expect(second).rejects.toMatchObject({ statusCode: 429 })
  await Promise.all([...running, mint, avif, page])
  expect(ended[0]).toBe('page')
  expect(ended.indexOf('mint')).toBeLessThan(ended.indexOf('avif'))
})

test('a stop ends a job whose response is read half, and starts no process for those that wait', async () => {
  const { run, stop } = givenImageProcess()
  const mark = join(await temporaryFolder('image'), 'written')
  const jobs = [run({}, 'respondHalf', mark), run({}, 'hang'), run({}, 'touch', `${mark}-late`)]
  await vi.waitUntil(() => existsSync(mark), { timeout: 30_000 })
  // The event loop reads what has arrived.
  for (let turn = 0; turn < 5; turn++) await setImmediate()

  stop()

  for (const job of await Promise.allSettled(jobs))
    expect(job).toMatchObject({ status: 'rejected', reason: notProcessed })
  expect(existsSync(`${mark}-late`)).toBe(false)
})

test('the process ends when it was idle, and not before', async () => {
  const { run } = givenImageProcess({ idleMs: 300 })
  const pid = await run({}, 'pid')
  expect(await run({}, 'pid')).toBe(pid)
  await vi.waitFor(() => expect(hasEnded(pid)).toBe(true), { timeout: 10_000 })
  expect(await run({}, 'pid')).not.toBe(pid)
})

test('SIGTERM and SIGINT to the whole process group leave running jobs to the parent', async () => {
  const { run } = givenImageProcess()
  const pid = await run({}, 'pid')
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.kill(pid, signal)
  expect(await run({}, 'pid')).toBe(pid)
})

test('the process ends with its parent, also when it is killed while an image is decoded', async () => {
  const parent = spawn(process.execPath, [join(folder, 'image-parent.main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(parent.stdout, 'data')

  parent.kill('SIGKILL')

  // The image process has inherited the stream: it closes when both have ended.
  await once(parent.stdout.resume(), 'close')
})

test('the process gets no secret of the service', async () => {
  vi.stubEnv('CHAIN_SIGNER_KEY', '0x1')
  vi.stubEnv('MALLOC_ARENA_MAX', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const variables = await givenImageProcess().run({}, 'variables')
  expect(variables).toContain('MALLOC_ARENA_MAX')
  expect(variables).not.toContain('CHAIN_SIGNER_KEY')
})
