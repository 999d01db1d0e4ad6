import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { HOUR_MS, pendingRuns, startTestWorker } from '../testing/worker.ts'

test('a job that was reported before a count that fails is run', async () => {
  const counted = Promise.withResolvers<number>()
  const due = vi.fn(() => counted.promise)
  const run = vi.fn(async () => {})
  const worker = startTestWorker({ everyMs: HOUR_MS, run, due })
  await vi.waitFor(() => expect(due).toHaveBeenCalledTimes(1))
  worker.wake()
  worker.report()
  counted.reject(new Error('no connection'))
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(1))
  await worker.stop()
})

test('a job that is reported during a count which finds none is run, also by a worker whose run does all jobs', async () => {
  const counts: ((jobs: number) => void)[] = []
  const run = vi.fn(async () => {})
  const due = () => new Promise<number>((resolve) => counts.push(resolve))
  const worker = startTestWorker({ everyMs: HOUR_MS, run, due, runsAll: true })
  counts[0]!(0)
  worker.report()
  worker.wake()
  await vi.waitFor(() => expect(counts).toHaveLength(2))
  const before = run.mock.calls.length
  worker.report()
  counts[1]!(0)
  await vi.waitFor(() => expect(run.mock.calls.length).toBe(before + 1))
  await worker.stop()
})

test('a reported job is run without counting, as many at once as there are places', async () => {
  const { ends, run } = pendingRuns()
  const due = vi.fn(async () => 0)
  const worker = startTestWorker({ everyMs: HOUR_MS, run, due, concurrency: 2 })
  await vi.waitFor(() => expect(due).toHaveBeenCalledTimes(1))

  for (let count = 0; count < 3; count++) worker.report()
  await vi.waitFor(() => expect(ends).toHaveLength(2))
  await sleep(20)
  expect(ends).toHaveLength(2)
  ends[0]!(false)
  await vi.waitFor(() => expect(ends).toHaveLength(3))

  for (const end of ends) end(false)
  await sleep(20)
  expect(ends).toHaveLength(3)
  expect(due).toHaveBeenCalledTimes(1)
  await worker.stop()
})

test('jobs that are reported to a worker with one place are run one after the other', async () => {
  const { ends, run } = pendingRuns()
  const worker = startTestWorker({ everyMs: HOUR_MS, run, due: async () => 0 })
  await sleep(20)
  worker.report()
  worker.report()
  await vi.waitFor(() => expect(ends).toHaveLength(1))
  ends[0]!(false)
  await vi.waitFor(() => expect(ends).toHaveLength(2))
  ends[1]!(false)
  await worker.stop()
})

test('a worker whose run does all reported jobs runs once more for those that are reported during a run', async () => {
  const { ends, run } = pendingRuns()
  const worker = startTestWorker({ everyMs: HOUR_MS, run, runsAll: true, due: async () => 0 })
  await sleep(20)
  worker.report()
  await vi.waitFor(() => expect(ends).toHaveLength(1))
  for (let count = 0; count < 3; count++) worker.report()
  ends[0]!(false)
  await vi.waitFor(() => expect(ends).toHaveLength(2))
  ends[1]!(false)
  await sleep(20)
  expect(ends).toHaveLength(2)
  await worker.stop()
})

test('jobs that were reported before a count of all are not run a second time', async () => {
  const { ends, run } = pendingRuns()
  const counts: ((count: number) => void)[] = []
  const due = vi.fn(() => new Promise<number>((resolve) => counts.push(resolve)))
  const worker = startTestWorker({ everyMs: HOUR_MS, run, due, concurrency: 3 })
  counts[0]!(0)
  await sleep(20)
  worker.report()
  worker.wake()
  await vi.waitFor(() => expect(counts).toHaveLength(2))
  counts[1]!(1)
  await vi.waitFor(() => expect(ends).toHaveLength(1))
  await sleep(20)
  expect(ends).toHaveLength(1)
  for (const end of ends) end(false)
  await worker.stop()
})
