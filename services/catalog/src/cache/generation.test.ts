import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@nifty/service-kit/database/database'
import { testLog } from '@nifty/service-kit/testing/log'
import type { KyselyPlugin } from 'kysely'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../db.ts'
import { startTestCatalog } from '../testing.ts'
import { watchGeneration } from './generation.ts'

const { db, url, givenAccount, givenItem } = await startTestCatalog()
const seller = await givenAccount({ admin: true })
const { itemId } = await givenItem(seller.userId)

/** A database that is not there; with it as `notifyUrl` no NOTIFY arrives. */
const nowhere = 'postgres://127.0.0.1:9/none'

afterEach(() => vi.restoreAllMocks())

/** Changes what visitors see. */
const change = (name: string) => db.updateTable('item').set({ name }).where('id', '=', itemId).execute()

/** A generation whose readings from the database arrive when `received` resolves, or fail when it rejects. */
function watch(
  received: () => Promise<unknown> = async () => {},
  { sent = () => {}, notifyUrl = url }: { sent?: () => void; notifyUrl?: string } = {},
) {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      sent()
      return node
    },
    transformResult: async ({ result }) => received().then(() => result),
  }
  const generation = watchGeneration({ db: db.withPlugin(plugin), url: notifyUrl, log: testLog })
  onTestFinished(generation.stop)
  return generation
}

test('a reading that began before a change does not answer for one after it', async () => {
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const generation = watch(() => {
    arrived.resolve()
    return released.promise
  })
  const before = generation.refresh()
  await arrived.promise
  const changedAt = performance.now()
  await change('Meanwhile')
  const after = generation.refresh()
  released.resolve()
  expect((await after).generation).toBe((await before).generation + 1)
  expect((await before).asOf).toBeLessThan(changedAt)
})

test('a change is known after its invalidation, also while a reading runs that began after it', async () => {
  let isInvalidated = false
  let beganAfter = false
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const received = async () => {
    if (!beganAfter) return
    arrived.resolve()
    await released.promise
  }
  const sent = () => {
    beganAfter = isInvalidated
  }
  const generation = watch(received, { sent, notifyUrl: nowhere })
  await generation.refresh()
  await change('Before the reading')
  const invalidatedAt = performance.now()
  generation.invalidate()
  isInvalidated = true
  const running = generation.refresh()
  await arrived.promise
  const after = generation.current()
  released.resolve()
  expect((await after).asOf).toBeGreaterThan(invalidatedAt)
  await running
})

test('an older generation, of a response that took long to build, does not replace a newer one', async () => {
  const generation = watch()
  // Until none of the two reads the database, which would replace it as well.
  await vi.waitFor(async () => {
    const first = await generation.current()
    generation.observe(first.generation - 1)
    expect(await generation.current()).toEqual(first)
  })
})

test('the database is polled only after requests', async () => {
  const sent = vi.fn()
  const generation = watch(undefined, { sent })
  await sleep(1_000)
  expect(sent).not.toHaveBeenCalled()

  await generation.current()
  await vi.waitFor(() => expect(sent.mock.calls.length).toBeGreaterThan(2))
})

test('a generation that cannot be read again is used for less than a second, then it is a 503', async () => {
  let isReachable = true
  const generation = watch(async () => {
    if (!isReachable) throw new Error('no database')
  })
  const { asOf, generation: latest } = await generation.refresh()
  await vi.waitFor(async () => expect((await generation.current()).asOf).toBeGreaterThan(asOf))
  isReachable = false
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_000)
  await expect(generation.current()).rejects.toMatchObject({ statusCode: 503 })
  clock.mockRestore()
  isReachable = true
  expect((await generation.refresh()).generation).toBe(latest)
})

test('without its database the generation is a 503', async () => {
  const unreachable = { url: nowhere, log: testLog }
  const generation = watchGeneration({ ...unreachable, db: openDatabase<Database>(unreachable) })
  await expect(generation.current()).rejects.toMatchObject({ statusCode: 503 })
  await generation.stop()
})
