import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

/** A task that runs until `finish` is called. */
function pending() {
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  const task = { started: false, run, finish }
  function run() {
    task.started = true
    return promise
  }
  return task
}

test('at most `concurrency` tasks run at once; the others follow in the order of their arrival', async () => {
  const semaphore = createSemaphore({ concurrency: 2 })
  const tasks = [pending(), pending(), pending(), pending()]
  const results = tasks.map(({ run }) => semaphore(run))
  const started = () => tasks.map((task) => task.started)

  expect(started()).toEqual([true, true, false, false])
  tasks[1]!.finish()
  await nextTick()
  expect(started()).toEqual([true, true, true, false])
  tasks[0]!.finish()
  await nextTick()
  expect(started()).toEqual([true, true, true, true])

  for (const { finish } of tasks) finish()
  await Promise.all(results)
})

test('a task that fails frees its place and rejects only its own call', async () => {
  const semaphore = createSemaphore({ concurrency: 1 })
  const failing = semaphore(() => Promise.reject(new Error('no')))
  const next = semaphore(async () => 'done')

  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
  expect(await semaphore(async () => 'again')).toBe('again')
})

test('a full queue rejects with 429, and accepts again once a task has finished', async () => {
  const semaphore = createSemaphore({ concurrency: 1, maxWaiting: 1 })
  const first = pending()
  const running = semaphore(first.run)
  const waiting = semaphore(async () => 'waited')

  await expect(semaphore(async () => 'too many')).rejects.toMatchObject({ statusCode: 429 })
  first.finish()
  await running
  expect(await waiting).toBe('waited')
  expect(await semaphore(async () => 'free')).toBe('free')
})

test('a client whose share of the queue is full gets 429, and others still wait in it', async () => {
  const semaphore = createSemaphore({ concurrency: 1, maxWaiting: 10, maxWaitingPerClient: 2 })
  const first = pending()
  const running = semaphore(first.run, 'loud')
  const waiting = [semaphore(async () => 1, 'loud'), semaphore(async () => 2, 'loud')]

  await expect(semaphore(async () => 3, 'loud')).rejects.toMatchObject({ statusCode: 429 })
  const other = semaphore(async () => 4, 'quiet')
  first.finish()
  expect(await Promise.all([...waiting, other])).toEqual([1, 2, 4])
  await running
  expect(await semaphore(async () => 5, 'loud')).toBe(5)
})

test('of one client at most its share runs, and others run meanwhile', async () => {
  const semaphore = createSemaphore({ concurrency: 3, concurrencyPerClient: 1, maxWaiting: 10 })
  const tasks = [pending(), pending(), pending()]
  const results = [semaphore(tasks[0]!.run, 'ada'), semaphore(tasks[1]!.run, 'ada'), semaphore(tasks[2]!.run, 'grace')]
  expect(tasks.map(({ started }) => started)).toEqual([true, false, true])
  tasks[2]!.finish()
  await nextTick()
  expect(tasks[1]!.started).toBe(false)
  tasks[0]!.finish()
  await nextTick()
  expect(tasks[1]!.started).toBe(true)
  tasks[1]!.finish()
  await Promise.all(results)
  expect(await semaphore(async () => 'again', 'ada')).toBe('again')
})

test('tasks that wait run by their order, and of one order as they came', async () => {
  const semaphore = createSemaphore({ concurrency: 1 })
  const blocking = pending()
  const running = semaphore(blocking.run)
  const ran: string[] = []
  const add = (name: string, order?: 'first' | 'normal' | 'last') =>
    semaphore(async () => void ran.push(name), undefined, order)
  const all = [add('l', 'last'), add('n1'), add('f1', 'first'), add('n2', 'normal'), add('f2', 'first')]
  blocking.finish()
  await Promise.all([running, ...all])
  expect(ran).toEqual(['f1', 'f2', 'n1', 'n2', 'l'])
})
