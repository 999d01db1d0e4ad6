import { expect, onTestFinished, test, vi } from 'vitest'
import { createPool, type Pool } from './pool.ts'

const size = { places: 3, placesPerClient: 2, waiting: 4, waitingPerClient: 3, waitMs: 1_000 }

/** A request, and the order in which requests got their places. */
function request(pool: Pool, client: string, started: string[], name = client) {
  const leave = pool.take(client, (error) =>
    started.push(error ? `${name}: ${(error as Error & { statusCode: number }).statusCode}` : name),
  )
  return { leave }
}

test('a client has its share of the places, and the others get in', () => {
  const pool = createPool(size)
  const started: string[] = []
  for (const name of ['a1', 'a2', 'a3']) request(pool, 'a', started, name)
  request(pool, 'b', started)
  expect(started).toEqual(['a1', 'a2', 'b'])
})

test('a place that is given back goes to the request that has waited longest and whose client has a share left', () => {
  const pool = createPool(size)
  const started: string[] = []
  request(pool, 'a', started)
  const second = request(pool, 'a', started)
  const other = request(pool, 'b', started)
  for (const name of ['a', 'b', 'c']) request(pool, name, started, `${name} waited`)
  started.length = 0
  other.leave()
  expect(started).toEqual(['b waited'])
  second.leave()
  expect(started).toEqual(['b waited', 'a waited'])
})

test('beyond the requests that may wait, of one client and of all, there is a 503', () => {
  const pool = createPool(size)
  const started: string[] = []
  for (const client of ['a', 'a', 'b']) request(pool, client, started)
  started.length = 0
  for (let count = 0; count < 4; count++) request(pool, 'a', started)
  expect(started).toEqual(['a: 503'])
  for (let count = 0; count < 2; count++) request(pool, 'b', started)
  expect(started).toEqual(['a: 503', 'b: 503'])
})

test('a request that leaves while it waits gets no place, and leaves room for another', () => {
  const pool = createPool({ ...size, places: 1, waiting: 1 })
  const started: string[] = []
  const first = request(pool, 'a', started)
  request(pool, 'b', started, 'left').leave()
  request(pool, 'b', started)
  first.leave()
  expect(started).toEqual(['a', 'b'])
})

test('a request that has waited too long gets a 503', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const pool = createPool({ ...size, places: 1 })
  const started: string[] = []
  const first = request(pool, 'a', started)
  const late = request(pool, 'b', started)
  vi.advanceTimersByTime(999)
  request(pool, 'c', started)
  vi.advanceTimersByTime(1)
  late.leave()
  expect(started).toEqual(['a', 'b: 503'])
  first.leave()
  expect(started).toEqual(['a', 'b: 503', 'c'])
})
