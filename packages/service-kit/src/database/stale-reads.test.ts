import { expect, onTestFinished, test, vi } from 'vitest'
import { createStaleReads } from './stale-reads.ts'

const starting = Object.assign(new Error('the database system is starting up'), { code: '57P03' })
const failing = (error: Error) => () => Promise.reject(error)

function passTime() {
  const realNow = performance.now.bind(performance)
  onTestFinished(() => void vi.restoreAllMocks())
  return (ms: number) => vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ms)
}

test('while the database does not respond, a result of the last minute counts, and none for another key', async () => {
  const pass = passTime()
  const reads = createStaleReads<string>({ max: 10, withinMs: 1_000 })
  expect(await reads.get('ada', async () => 'Ada')).toBe('Ada')
  pass(59_000)
  expect(await reads.get('ada', failing(starting))).toBe('Ada')
  await expect(reads.get('ben', failing(starting))).rejects.toBe(starting)
  pass(60_000)
  await expect(reads.get('ada', failing(starting))).rejects.toBe(starting)
})

test('a database that hangs is not waited for where there is a result', async () => {
  const reads = createStaleReads<string>({ max: 10, withinMs: 5 })
  await reads.get('ada', async () => 'Ada')
  expect(await reads.get('ada', () => new Promise(() => {}))).toBe('Ada')
})

test('what is gone stays gone, and the results of the keys read last are kept', async () => {
  const reads = createStaleReads<string>({ max: 2, withinMs: 1_000 })
  for (const key of ['ada', 'ben', 'ada', 'cleo']) await reads.get(key, async () => key)
  expect(await reads.get('ada', failing(starting))).toBe('ada')
  await expect(reads.get('ben', failing(starting))).rejects.toBe(starting)
  const gone = new Error('not found')
  await expect(reads.get('ada', failing(gone))).rejects.toBe(gone)
  await expect(reads.get('ada', failing(starting))).rejects.toBe(starting)
})
