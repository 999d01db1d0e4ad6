import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { testLog } from '../testing/log.ts'
import { HOUR_MS, pendingRuns, startTestWorker } from '../testing/worker.ts'

test('a run that finds more is followed by the next one at once, and one that finds nothing is not', async () => {
  const results = [true, true, false]
  const run = vi.fn(async () => results.shift())
  const worker = startTestWorker({ everyMs: HOUR_MS, run })
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(3))
  await sleep(20)
  expect(run).toHaveBeenCalledTimes(3)
  await worker.stop()
})

test('without due jobs nothing runs', async () => {
  const run = vi.fn(async () => false)
  const due = vi.fn(async () => 0)
  const worker = startTestWorker({ run, due })
  await vi.waitFor(() => expect(due.mock.calls.length).toBeGreaterThan(3))
  expect(run).not.toHaveBeenCalled()
  await worker.stop()
})

test('a worker that is woken looks for due jobs at once', async () => {
  let waiting = 0
  const run = vi.fn(async () => void waiting--)
  const due = vi.fn(async () => waiting)
  const worker = startTestWorker({ everyMs: HOUR_MS, run, due })
  await vi.waitFor(() => expect(due).toHaveBeenCalledTimes(1))
  waiting = 1
  worker.wake()
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(1))
  await worker.stop()
})

test('an idle worker waits for each count with one timer of whole milliseconds, which is not early', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const due = vi.fn(async () => 0)
  const worker = startTestWorker({ everyMs: 5, run: async () => {}, due })
  await vi.waitFor(() => expect(due.mock.calls.length).toBeGreaterThan(50), { timeout: 10_000 })
  await worker.stop()
  const waits = timers.mock.calls.map(([, ms]) => ms!).filter((ms) => ms <= 6)
  timers.mockRestore()
  expect(waits.every(Number.isInteger)).toBe(true)
  // Timers of a millisecond less are early each time, and twice as many.
  expect(waits.length).toBeGreaterThan(25)
  expect(waits.length).toBeLessThan(1.5 * due.mock.calls.length)
})

test('as many runs as jobs are due, at most `concurrency`; a slow one delays no other', async () => {
  const { ends, run } = pendingRuns()
  let waiting = 5
  const due = vi.fn(async (atMost: number) => Math.min(waiting, atMost))
  const worker = startTestWorker({ everyMs: HOUR_MS, run, due, concurrency: 3 })
  await vi.waitFor(() => expect(ends).toHaveLength(3))
  expect(due).toHaveBeenCalledWith(4)

  ends[1]!(false)
  await vi.waitFor(() => expect(ends).toHaveLength(4))
  expect(due).toHaveBeenLastCalledWith(2)
  waiting = 0
  for (const end of ends) end(false)
  await worker.stop()
})

test('a place that becomes free while due jobs are counted is used for them', async () => {
  const { ends, run } = pendingRuns()
  const counts: ((count: number) => void)[] = []
  const due = () => new Promise<number>((resolve) => counts.push(resolve))
  const worker = startTestWorker({ everyMs: HOUR_MS, run, due, concurrency: 2 })
  counts[0]!(1)
  await vi.waitFor(() => expect(ends).toHaveLength(1))
  worker.wake()
  await vi.waitFor(() => expect(counts).toHaveLength(2))
  ends[0]!(false)
  await sleep(20)
  counts[1]!(2)
  await vi.waitFor(() => expect(ends).toHaveLength(3))
  for (const end of ends) end(false)
  await worker.stop()
})

test('a run that continues is repeated without another `due`, and none follows a run when no other job was due', async () => {
  const due = vi.fn(async () => 0).mockResolvedValueOnce(1)
  const run = vi.fn(async () => false).mockResolvedValueOnce(true)
  const worker = startTestWorker({ everyMs: HOUR_MS, run, due })
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2))
  await sleep(20)
  expect(run).toHaveBeenCalledTimes(2)
  expect(due).toHaveBeenCalledTimes(1)
  await worker.stop()
})

test('a failure is logged, and the next run follows', async () => {
  const warn = vi.spyOn(testLog, 'warn')
  const run = vi.fn(async () => false).mockRejectedValueOnce(new Error('lost'))
  const due = vi.fn(async () => 1).mockRejectedValueOnce(new Error('lost'))
  const worker = startTestWorker({ run, due })
  await vi.waitFor(() => expect(run.mock.calls.length).toBeGreaterThan(2))
  expect(warn).toHaveBeenCalledTimes(2)
  await worker.stop()
  warn.mockRestore()
})

test('a run that fails is not repeated at once, even if other jobs wait', async () => {
  const run = vi.fn(async () => false).mockRejectedValue(new Error('lost'))
  const worker = startTestWorker({ everyMs: HOUR_MS, run, due: async (atMost) => atMost })
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(1))
  await sleep(20)
  expect(run).toHaveBeenCalledTimes(1)
  await worker.stop()
})

test('stopping waits for the runs', async () => {
  const { ends, run } = pendingRuns()
  const worker = startTestWorker({ run, due: async (atMost) => atMost, concurrency: 2 })
  await vi.waitFor(() => expect(ends).toHaveLength(2))
  let stopped = false
  const stopping = worker.stop().then(() => {
    stopped = true
  })
  await sleep(20)
  expect(stopped).toBe(false)
  for (const end of ends) end(true)
  await stopping
  expect(ends).toHaveLength(2)
})
