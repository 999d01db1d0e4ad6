import { startObjectStorage } from '@nifty/dev-servers/object-storage'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { objectSettingsOf } from '@nifty/service-kit/objects/object-settings'
import type { Objects } from '@nifty/service-kit/objects/objects'
import { namesIn } from '@nifty/service-kit/objects/objects.conformance'
import { openObjects } from '@nifty/service-kit/objects/open-objects'
import { testLog } from '@nifty/service-kit/testing/log'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import { createChainContext } from '../create-chain-context.ts'
import { jobs } from '../jobs.ts'
import { givenAccount } from '../testing/fixtures.ts'
import { animatedGif, pngOf } from '../testing/image-files.ts'
import { postMint } from '../testing/mint-form.ts'
import { startTestMinting } from '../testing/minting.ts'
import { createImageStore } from './image-store.ts'

const storage = await startObjectStorage({ folder: await temporaryFolder('minting') })
afterAll(storage.stop)
for (const [name, value] of Object.entries(storage.credentials)) process.env[name] = value
const uploads = objectSettingsOf({ UPLOADS_URL: storage.url })
const minting = await startTestMinting({ uploads, mintsPerHour: 100 })
const { db, config, until, bearer } = minting
const { userId } = await givenAccount(minting, { admin: true })
const objects = await openObjects(uploads, 'nfts', testLog)
afterAll(objects.close)

const mint = async (bytes: Buffer) => (await postMint(minting, userId, { files: [{ bytes }] })).json()
const get = (path: string, accept = 'image/webp,*/*') => minting.app.inject({ url: path, headers: { accept } })

test('a master and its display sizes are kept in the bucket, and encoded once', async () => {
  const bytes = await pngOf(1200, 800)
  const { image } = await mint(bytes)
  const name = image.split('/').at(-1)!.replace('.png', '')
  expect((await get(image)).rawPayload.equals(bytes)).toBe(true)
  for (const width of [320, 960]) {
    const served = await get(`${image}?w=${width}`)
    expect(served.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' })
    expect(Number(served.headers['content-length'])).toBe(served.rawPayload.length)
    expect((await sharp(served.rawPayload).metadata()).width).toBe(width)
  }
  const avif = 'image/avif,*/*'
  expect((await get(`${image}?w=320`, avif)).headers['cache-control']).toBe('public, max-age=30')
  await until(async () => (await get(`${image}?w=320`, avif)).headers['content-type'] === 'image/avif')
  expect(await namesIn(objects)).toEqual(
    [`320/${name}.avif`, `320/${name}.webp`, `640/${name}.webp`, `960/${name}.webp`, `master/${name}.png`].sort(),
  )
  const { image: moving } = await mint(await animatedGif())
  const shown = await get(`${moving}?w=640&animated=true`)
  expect((await sharp(shown.rawPayload, { animated: true }).metadata()).pages).toBe(10)
})

test.each([
  '00000000-0000-4000-8000-000000000000.png',
  '00000000-0000-4000-8000-000000000000.png?w=640',
  '..%2fmaster%2fx.png',
  '%2e%2e%2f%2e%2e%2fsecret.png',
  '',
])('no object is read or listed for the name %j', async (name) => {
  expect([400, 404]).toContain((await get(`/uploads/nfts/${name}`)).statusCode)
})

test('while the bucket does not answer, works wait or are refused before anything is signed', async () => {
  const waiting = await mint(await pngOf())
  await storage.halt('SIGKILL')
  try {
    expect((await get(`${waiting.image}?w=320`)).json()).toMatchObject({ code: 'storage_unavailable' })
    const refused = await postMint(minting, userId, { files: [{ bytes: await pngOf() }] })
    expect([refused.statusCode, refused.json().code]).toEqual([503, 'storage_unavailable'])
    const state = async () =>
      (await minting.app.inject({ url: `/api/mints/${waiting._id}`, headers: bearer(userId) })).json().state
    await until(async () => (await state()) === 'minted')
    const mints = await db.selectFrom('mint').select(['id', 'state']).execute()
    expect(mints.filter(({ state: each }) => each === 'accepted')).toEqual([])
  } finally {
    await storage.resume()
  }
  await vi.waitFor(async () => expect((await get(`${waiting.image}?w=320`)).statusCode).toBe(200), 10_000)
  expect((await postMint(minting, userId, { files: [{ bytes: await pngOf() }] })).statusCode).toBe(202)
})

test('files that no mint names are removed from the bucket after a day, those of mints stay', async () => {
  const { image } = await mint(await pngOf())
  const orphan = 'master/11111111-0000-4000-8000-000000000000.png'
  await objects.put(orphan, await pngOf())
  const run = async (passedMs: number) => {
    const later: Objects = { ...objects, ageOf: async (each) => ((await objects.ageOf(each)) ?? 0) + passedMs }
    const images = createImageStore({ objects: later, log: testLog })
    const context = {
      ...createChainContext({ db, log: testLog, config }),
      images,
      mailTokenKeys: minting.mailTokenKeys,
    }
    const job = jobs['orphaned images'].handler(context)
    while (await job.run());
  }
  await run(0)
  expect(await objects.sizeOf(orphan)).toBeGreaterThan(0)
  await run(86_400_000)
  expect(await objects.sizeOf(orphan)).toBeUndefined()
  expect((await get(image)).statusCode).toBe(200)
})
