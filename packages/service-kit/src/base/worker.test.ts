import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { testLog } from '../testing/log.ts'
import { HOUR_MS, pendingRuns, startTestWorker } from '../testing/worker.ts'

/** A queue of pieces of work, of which each run takes one. */
function queueOf(count: number) {
  const queue = { count, isDue: vi.fn(async () => queue.count > 0), run: vi.fn(async () => void queue.count--) }
  return queue
}

test('a run that finds more is followed by the next one at once, and one that finds nothing is not', async () => {
  const results = [true, true, false]
  const run = vi.fn(async () => results.shift())
  const worker = startTestWorker({ everyMs: HOUR_MS, run })
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(3))
  await sleep(20)
  expect(run).toHaveBeenCalledTimes(3)
  await worker.stop()
})

test('without due work nothing runs', async () => {
  const run = vi.fn(async () => false)
  const isDue = vi.fn(async () => false)
  const worker = startTestWorker({ run, isDue })
  await vi.waitFor(() => expect(isDue.mock.calls.length).toBeGreaterThan(3))
  expect(run).not.toHaveBeenCalled()
  await worker.stop()
})

test('an interval runs until nothing is due', async () => {
  const queue = queueOf(5)
  const worker = startTestWorker({ everyMs: HOUR_MS, ...queue })
  await vi.waitFor(() => expect(queue.run).toHaveBeenCalledTimes(5))
  await sleep(20)
  expect(queue.run).toHaveBeenCalledTimes(5)
  await worker.stop()
})

test('a worker that is woken looks for due work at once', async () => {
  const queue = queueOf(0)
  const worker = startTestWorker({ everyMs: HOUR_MS, ...queue })
  await vi.waitFor(() => expect(queue.isDue).toHaveBeenCalledTimes(1))
  queue.count = 1
  worker.wake()
  await vi.waitFor(() => expect(queue.run).toHaveBeenCalledTimes(1))
  await worker.stop()
})

test('an idle worker waits for each interval with timers of whole milliseconds, which are not early', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const isDue = vi.fn(async () => false)
  const worker = startTestWorker({ everyMs: 5, run: async () => {}, isDue })
  await vi.waitFor(() => expect(isDue.mock.calls.length).toBeGreaterThan(50), { timeout: 10_000 })
  await worker.stop()
  const waits = timers.mock.calls.map(([, ms]) => ms!).filter((ms) => ms <= 6)
  timers.mockRestore()
  expect(waits.every(Number.isInteger)).toBe(true)
  // One while it searches, one for the next interval. Timers of a millisecond less are early each time, and twice as
  // many.
  expect(waits.length).toBeLessThan(2.5 * isDue.mock.calls.length)
})

test('all places work on what is due; a slow run delays no other', async () => {
  const { ends, run } = pendingRuns()
  let due = true
  const worker = startTestWorker({ run, isDue: async () => due, concurrency: 3 })
  await vi.waitFor(() => expect(ends).toHaveLength(3))

  ends[1]!(false)
  await vi.waitFor(() => expect(ends).toHaveLength(4))
  due = false
  for (const end of ends) end(false)
  await sleep(20)
  expect(ends).toHaveLength(4)
  await worker.stop()
})

test('a run that finds work due starts another one beside the next', async () => {
  const { ends, run } = pendingRuns()
  const worker = startTestWorker({ everyMs: HOUR_MS, run, isDue: async () => true, concurrency: 4 })
  await vi.waitFor(() => expect(ends).toHaveLength(1))
  ends[0]!(false)
  await vi.waitFor(() => expect(ends).toHaveLength(3))
  ends[1]!(false)
  await vi.waitFor(() => expect(ends).toHaveLength(5))
  await sleep(20)
  expect(ends).toHaveLength(5)
  for (const end of ends) end(false)
  const stopped = worker.stop()
  for (const end of ends) end(false)
  await stopped
})

test('a run that continues is repeated without another look', async () => {
  const isDue = vi.fn(async () => false).mockResolvedValueOnce(true)
  const run = vi.fn(async () => false).mockResolvedValueOnce(true)
  const worker = startTestWorker({ everyMs: HOUR_MS, run, isDue })
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2))
  await vi.waitFor(() => expect(isDue).toHaveBeenCalledTimes(2))
  await sleep(20)
  expect(run).toHaveBeenCalledTimes(2)
  await worker.stop()
})

test('a failure is logged, and the next run follows', async () => {
  const warn = vi.spyOn(testLog, 'warn')
  const queue = queueOf(2)
  queue.run.mockRejectedValueOnce(new Error('lost'))
  queue.isDue.mockRejectedValueOnce(new Error('lost'))
  const worker = startTestWorker(queue)
  await vi.waitFor(() => expect(queue.count).toBe(0))
  expect(warn).toHaveBeenCalledTimes(2)
  await worker.stop()
  warn.mockRestore()
})

test('a run that fails is not repeated at once, even if other work waits', async () => {
  const run = vi.fn(async () => false).mockRejectedValue(new Error('lost'))
  const worker = startTestWorker({ everyMs: HOUR_MS, run, isDue: async () => true })
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(1))
  await sleep(20)
  expect(run).toHaveBeenCalledTimes(1)
  await worker.stop()
})

test('reported work is run without a look, as many at once as there are places', async () => {
  const { ends, run } = pendingRuns()
  const isDue = vi.fn(async () => false)
  const worker = startTestWorker({ everyMs: HOUR_MS, run, isDue, concurrency: 2 })
  await vi.waitFor(() => expect(isDue).toHaveBeenCalledTimes(1))
  await sleep(20)

  for (let count = 0; count < 2; count++) worker.report()
  await vi.waitFor(() => expect(ends).toHaveLength(2))
  for (const end of ends) end(false)
  await sleep(20)
  expect(ends).toHaveLength(2)
  expect(isDue).toHaveBeenCalledTimes(1)
  await worker.stop()
})

test('work that is reported while all places are busy is run when they are free, as much as there are places', async () => {
  const { ends, run } = pendingRuns()
  const isDue = vi.fn(async () => false)
  const worker = startTestWorker({ everyMs: HOUR_MS, run, isDue, concurrency: 2 })
  await vi.waitFor(() => expect(isDue).toHaveBeenCalledTimes(1))
  await sleep(20)

  for (let count = 0; count < 4; count++) worker.report()
  await vi.waitFor(() => expect(ends).toHaveLength(2))
  for (const end of ends) end(false)
  await vi.waitFor(() => expect(ends).toHaveLength(4))
  expect(isDue).toHaveBeenCalledTimes(1)
  for (const end of ends) end(false)
  await worker.stop()
})

test('of work that is reported while all places are busy the rest is looked for', async () => {
  const queue = queueOf(0)
  const end = Promise.withResolvers<void>()
  queue.run.mockImplementationOnce(() => end.promise as Promise<undefined>)
  const worker = startTestWorker({ everyMs: HOUR_MS, ...queue })
  await vi.waitFor(() => expect(queue.isDue).toHaveBeenCalledTimes(1))
  await sleep(20)
  worker.report()
  await vi.waitFor(() => expect(queue.run).toHaveBeenCalledTimes(1))
  queue.count = 3
  for (let count = 0; count < 3; count++) worker.report()
  await sleep(20)
  expect(queue.run).toHaveBeenCalledTimes(1)

  end.resolve()
  await vi.waitFor(() => expect(queue.count).toBe(0))
  await worker.stop()
})

test('work that is reported while a worker without a look runs is left to one more run', async () => {
  const { ends, run } = pendingRuns()
  const worker = startTestWorker({ everyMs: HOUR_MS, run })
  await vi.waitFor(() => expect(ends).toHaveLength(1))
  for (let count = 0; count < 3; count++) worker.report()
  ends[0]!(false)
  await vi.waitFor(() => expect(ends).toHaveLength(2))
  ends[1]!(false)
  await sleep(20)
  expect(ends).toHaveLength(2)
  await worker.stop()
})

test('work that is reported during a look that fails or finds none is run', async () => {
  const looks: PromiseWithResolvers<boolean>[] = []
  const isDue = () => {
    looks.push(Promise.withResolvers<boolean>())
    return looks.at(-1)!.promise
  }
  const run = vi.fn(async () => {})
  const worker = startTestWorker({ everyMs: HOUR_MS, run, isDue })
  await vi.waitFor(() => expect(looks).toHaveLength(1))
  worker.report()
  looks[0]!.resolve(false)
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(1))

  worker.wake()
  await vi.waitFor(() => expect(looks).toHaveLength(2))
  worker.report()
  looks[1]!.reject(new Error('no connection'))
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2))
  await worker.stop()
})

test('stopping waits for the runs', async () => {
  const { ends, run } = pendingRuns()
  const worker = startTestWorker({ run, isDue: async () => true, concurrency: 2 })
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
