import { startObjectStorage } from '@nifty/dev-servers/object-storage'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { createApiClient } from '@nifty/testkit/api-client'
import { startStore } from '@nifty/testkit/store'
import { waitUntil } from '@nifty/testkit/wait-until'
import { availableWork, itemPath } from '@nifty/testkit/works'
import { afterAll, expect, test } from 'vitest'
import { operate } from './restored-store.ts'

const CLIENTS = 12
const PAGES_PER_CLIENT = 40

const storage = await startObjectStorage({ folder: await temporaryFolder('objects') })
afterAll(storage.stop)
const store = await startStore({ works: 6, env: { UPLOADS_URL: storage.url, ...storage.credentials } })
afterAll(store.remove)
const { run } = store
const work = await availableWork(createApiClient(run))
const pages = ['/', '/explore-one', itemPath(work), '/api/nfts/market?page=1&limit=24', '/config.json']
const picture = `${run.url}${work.image}?w=640`

const statusOf = async (url: string) => {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.status
}

/** Every client reads the pages in turn, with a picture beside each; counts of the statuses of both. */
async function readAll() {
  const counts = { pages: {} as Record<number, number>, pictures: {} as Record<number, number> }
  const read = async (kind: keyof typeof counts, url: string) => {
    const status = await statusOf(url)
    counts[kind][status] = (counts[kind][status] ?? 0) + 1
  }
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const pictures: Promise<void>[] = []
      for (let turn = 0; turn < PAGES_PER_CLIENT; turn++) {
        pictures.push(read('pictures', picture))
        await read('pages', `${run.url}${pages[turn % pages.length]}`)
      }
      await Promise.all(pictures)
    }),
  )
  return counts
}

const total = CLIENTS * PAGES_PER_CLIENT
const untilShown = () => waitUntil(async () => (await statusOf(picture)) === 200)

test.each([
  ['hangs', storage.hang, storage.goOn],
  ['is killed', () => storage.halt('SIGKILL'), storage.resume],
])(
  'while the object storage %s, every page is served under load, and only pictures are a 503',
  async (_what, end, mend) => {
    await untilShown()
    expect(await readAll()).toMatchObject({ pages: { 200: total }, pictures: { 200: total } })
    await end()
    const during = await readAll().finally(mend)
    expect(during).toMatchObject({ pages: { 200: total }, pictures: { 503: total } })
    await untilShown()
  },
)

test('a backup says that the pictures are not in it', async () => {
  const { ops } = operate(store)
  const { code, output } = await ops('backup', `${await temporaryFolder('backup')}/one`)
  expect([code, output]).toEqual([0, expect.stringContaining('Pictures are NOT in it')])
})
