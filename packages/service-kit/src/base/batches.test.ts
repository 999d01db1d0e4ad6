import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type BatchCall, createBatches } from './batches.ts'
import { currentContext, withContext } from './logs.ts'

/** Batches whose runs end when `finish` is called. Returns the input twice, and fails with what `failing` returns. */
function given({ maxSize = 10, maxWaiting = 10, failing = (_inputs: string[]): Error | undefined => undefined } = {}) {
  const runs: string[][] = []
  const finish: (() => void)[] = []
  const contexts: (string | undefined)[] = []
  const contextsOfRuns: (string | undefined)[] = []
  const running: string[] = []
  const call = createBatches<string, string>({
    maxSize,
    maxWaiting,
    failsAll: (error) => error instanceof RangeError,
    run: async (key, calls: BatchCall<string>[]) => {
      const inputs = calls.map(({ input }) => input)
      runs.push([key, ...inputs])
      contextsOfRuns.push(currentContext()?.correlationId)
      for (const { inContext } of calls) contexts.push(inContext(currentContext)?.correlationId)
      // One at a time for each key.
      expect(running).not.toContain(key)
      running.push(key)
      await new Promise<void>((resolve) => finish.push(resolve))
      running.splice(running.indexOf(key), 1)
      const error = failing(inputs)
      if (error) throw error
      return inputs.map((input) => `${input}${input}`)
    },
  })
  /** Ends all runs, those that begin meanwhile as well. */
  async function finishAll<Result>(results: Promise<Result>[]) {
    let isOver = false
    const settled = Promise.allSettled(results).finally(() => {
      isOver = true
    })
    while (!isOver) {
      for (const each of finish.splice(0)) each()
      await nextTurn()
    }
    return (await settled).map((each) => (each.status === 'fulfilled' ? each.value : each.reason))
  }
  return { call, runs, contexts, contextsOfRuns, finishAll }
}

test('calls of one turn of the event loop run in one batch, those that arrive meanwhile in the next', async () => {
  const { call, runs, finishAll } = given()
  const results = ['a', 'b'].map((input) => call('one', input))
  expect(runs).toEqual([])
  await nextTurn()
  results.push(...['c', 'd', 'e'].map((input) => call('one', input)))
  await nextTurn()
  expect(runs).toEqual([['one', 'a', 'b']])
  expect(await finishAll(results)).toEqual(['aa', 'bb', 'cc', 'dd', 'ee'])
  expect(runs.slice(1)).toEqual([['one', 'c', 'd', 'e']])
  expect(await finishAll([call('one', 'f')])).toEqual(['ff'])
})

test('callers of one batch that call again as they get its results are in one batch again', async () => {
  const { call, runs, finishAll } = given()
  await finishAll(['a', 'b', 'c'].map(async (input) => call('one', await call('one', input))))
  expect(runs).toEqual([
    ['one', 'a', 'b', 'c'],
    ['one', 'aa', 'bb', 'cc'],
  ])
})

test('a batch has calls of one key, and no more than `maxSize`', async () => {
  const { call, runs, finishAll } = given({ maxSize: 2 })
  const results = ['a', 'b', 'c'].map((input) => call('one', input))
  const other = call('two', 'd')
  expect(await finishAll([...results, other])).toEqual(['aa', 'bb', 'cc', 'dd'])
  expect(runs).toEqual([
    ['one', 'a', 'b'],
    ['two', 'd'],
    ['one', 'c'],
  ])
})

test('a call that makes its batch fail is the only one that fails', async () => {
  const failing = (inputs: string[]) => (inputs.includes('poison') ? new Error('no') : undefined)
  const { call, runs, finishAll } = given({ failing })
  const results = ['a', 'poison', 'b'].map((input) => call('one', input))
  expect(await finishAll(results)).toEqual(['aa', new Error('no'), 'bb'])
  expect(runs).toEqual([
    ['one', 'a', 'poison', 'b'],
    ['one', 'a'],
    ['one', 'poison'],
    ['one', 'b'],
  ])
})

test('an error that is not of one call fails all of the batch at once', async () => {
  const failing = () => new RangeError('down')
  const { call, runs, finishAll } = given({ failing })
  const results = ['a', 'b'].map((input) => call('one', input))
  expect(await finishAll(results)).toEqual(Array(2).fill(new RangeError('down')))
  expect(runs).toHaveLength(1)
})

test('an error that is not of one call also ends the calls that are run alone', async () => {
  const failing = (inputs: string[]) => (inputs.length > 1 ? new Error('no') : new RangeError('down'))
  const { call, runs, finishAll } = given({ failing })
  const results = ['a', 'b', 'c'].map((input) => call('one', input))
  expect(await finishAll(results)).toEqual(Array(3).fill(new RangeError('down')))
  expect(runs).toEqual([
    ['one', 'a', 'b', 'c'],
    ['one', 'a'],
  ])
})

test('beyond `maxWaiting` a call is refused with 503 and `Retry-After`, and the others run', async () => {
  const { call, finishAll } = given({ maxWaiting: 2 })
  const results = ['a', 'b', 'c'].map((input) => call('one', input))
  const [first, second, refused] = await finishAll(results)
  expect([first, second]).toEqual(['aa', 'bb'])
  expect(refused).toMatchObject({ statusCode: 503, code: 'busy', extras: { headers: { 'retry-after': '1' } } })
})

test('each call of a batch has the context in which it was called, and the batch that of its first one', async () => {
  const { call, contexts, contextsOfRuns, finishAll } = given()
  await finishAll(['a', 'b', 'c'].map((id) => withContext({ correlationId: id }, () => call('one', id))))
  expect(contexts).toEqual(['a', 'b', 'c'])
  expect(contextsOfRuns).toEqual(['a'])
})
