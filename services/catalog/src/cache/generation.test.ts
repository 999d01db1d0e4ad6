import { openDatabase } from '@nifty/service-kit/database/database'
import { testLog } from '@nifty/service-kit/testing/log'
import type { KyselyPlugin } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import type { Database } from '../db.ts'
import { startTestCatalog } from '../testing.ts'
import { createGeneration } from './generation.ts'

const { db, givenAccount, givenItem } = await startTestCatalog()
const seller = await givenAccount({ admin: true })
const { itemId } = await givenItem(seller.userId)

let passed = 0
const realNow = performance.now.bind(performance)
afterEach(() => {
  passed = 0
  vi.restoreAllMocks()
})

/** Changes what visitors see. */
const change = (name: string) => db.updateTable('item').set({ name }).where('id', '=', itemId).execute()

/** From now on the clock shows this many milliseconds more. */
function pass(ms: number) {
  passed += ms
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + passed)
}

/** A generation whose readings from the database arrive when `received` resolves, or fail when it rejects. */
function create(received: () => Promise<unknown> = async () => {}) {
  const sent = vi.fn()
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      sent()
      return node
    },
    transformResult: async ({ result }) => received().then(() => result),
  }
  return { generation: createGeneration({ db: db.withPlugin(plugin), log: testLog }), sent }
}

test('the latest generation includes a change that was made while another reading ran', async () => {
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { generation } = create(() => {
    arrived.resolve()
    return released.promise
  })
  const before = generation.latest()
  await arrived.promise
  const changedAt = performance.now()
  await change('Meanwhile')
  const after = generation.latest()
  released.resolve()
  expect((await after).generation).toBe((await before).generation + 1)
  expect((await before).asOf).toBeLessThan(changedAt)
})

test('visitors share a reading, and the next one is made when it is 250 ms old', async () => {
  const { generation, sent } = create()
  const [first, second] = await Promise.all([generation.current(), generation.current()])
  expect(second).toEqual(first)
  expect(sent).toHaveBeenCalledTimes(1)
  await change('After the reading')
  pass(250)
  const next = await generation.current()
  expect(next.generation).toBe(first.generation + 1)
  expect(next.asOf).toBeGreaterThan(first.asOf)
  expect(sent).toHaveBeenCalledTimes(2)
})

test('an older reading, of a response that took long to build, does not replace a newer one', async () => {
  const { generation } = create()
  const first = await generation.current()
  generation.observe({ generation: first.generation - 1, asOf: first.asOf - 1 })
  expect(await generation.current()).toEqual(first)
})

test('a generation that cannot be read again is used until it is a second old, then it is a 503', async () => {
  let isReachable = true
  const { generation } = create(async () => {
    if (!isReachable) throw new Error('no database')
  })
  const first = await generation.current()
  isReachable = false
  pass(900)
  expect(await generation.current()).toEqual(first)
  await expect(generation.latest()).rejects.toMatchObject({ statusCode: 503 })
  pass(100)
  await expect(generation.current()).rejects.toMatchObject({ statusCode: 503 })
  isReachable = true
  expect((await generation.current()).generation).toBe(first.generation)
})

test('without its database the generation is a 503', async () => {
  const unreachable = { url: 'postgres://127.0.0.1:9/none', log: testLog }
  const generation = createGeneration({ ...unreachable, db: openDatabase<Database>(unreachable) })
  await expect(generation.current()).rejects.toMatchObject({ statusCode: 503 })
})
