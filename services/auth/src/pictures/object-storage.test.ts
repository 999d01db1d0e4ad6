import { startObjectStorage } from '@nifty/dev-servers/object-storage'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { objectSettingsOf } from '@nifty/service-kit/objects/object-settings'
import { namesIn } from '@nifty/service-kit/objects/objects.conformance'
import { objectsCollector } from '@nifty/service-kit/objects/objects-collector'
import { openObjects } from '@nifty/service-kit/objects/open-objects'
import { testLog } from '@nifty/service-kit/testing/log'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { givenMember, type Member, startTestAuth } from '../testing/auth.ts'
import { image, servedHeaders, uploadPicture } from '../testing/pictures.ts'
import { createPictures } from './picture.actions.ts'
import { createPictureFiles } from './picture.files.ts'
import { avatarSuffixes } from './picture.ts'

const storage = await startObjectStorage({ folder: await temporaryFolder('auth') })
afterAll(storage.stop)
for (const [name, value] of Object.entries(storage.credentials)) process.env[name] = value
const uploads = objectSettingsOf({ UPLOADS_URL: storage.url })
const auth = await startTestAuth({ uploads }, afterAll)
const objects = await openObjects(uploads, 'avatars', testLog)
afterAll(objects.close)

const upload = async (member: Member) =>
  uploadPicture(auth, member, { path: 'upload-avatar', parts: [{ bytes: await image('png') }] })
const show = (path: string) => auth.app.inject({ url: path })
const avatarOf = async ({ token }: Member) => (await auth.call('GET', '/api/auth/user', { token })).body.user.avatar
const filesOf = async (avatar: string) =>
  (await namesIn(objects)).filter((name) => name.startsWith(avatar.split('/').at(-1)!.slice(0, 32)))

test('an avatar is kept in the bucket, served with the same headers, and replaced', async () => {
  const ada = await givenMember(auth)
  const first = (await upload(ada)).body.avatar
  expect(await filesOf(first)).toHaveLength(2)
  const served = await show(first)
  expect([served.statusCode, served.headers]).toEqual([200, expect.objectContaining(servedHeaders)])
  expect(Number(served.headers['content-length'])).toBe(served.rawPayload.length)
  const second = (await upload(ada)).body.avatar
  expect([await filesOf(first), (await filesOf(second)).length]).toEqual([[], 2])
  expect([(await show(first)).statusCode, (await show(second)).statusCode]).toEqual([404, 200])
})

test('while the bucket does not answer, pictures and uploads are a 503, and nothing else is', async () => {
  const ada = await givenMember(auth)
  const { avatar } = (await upload(ada)).body
  await expect(objectsCollector(objects).read()).resolves.toEqual({})
  await storage.halt('SIGKILL')
  await expect(objectsCollector(objects).read()).rejects.toThrow()
  const unavailable = { status: 503, body: { code: 'storage_unavailable' } }
  const { statusCode, headers } = await show(avatar)
  expect([statusCode, headers['cache-control']]).toEqual([503, 'no-store'])
  expect(await upload(ada)).toMatchObject(unavailable)
  expect(await avatarOf(ada)).toBe(avatar)
  const eve = await givenMember(auth)
  expect((await auth.call('DELETE', `/api/users/${eve.id}`, eve)).status).toBe(200)

  await storage.resume()
  await vi.waitFor(async () => expect((await show(avatar)).statusCode).toBe(200), 10_000)
  expect((await upload(ada)).status).toBe(200)
})

test('what could not be removed is removed after an hour', async () => {
  const ada = await givenMember(auth)
  const { avatar } = (await upload(ada)).body
  await storage.halt('SIGKILL')
  expect((await auth.call('DELETE', `/api/users/${ada.id}`, ada)).status).toBe(200)
  await storage.resume()
  await vi.waitFor(async () => expect(await filesOf(avatar)).toHaveLength(2), 10_000)

  await sql`update avatar_file set created_at = now() - interval '2 hours'`.execute(auth.db)
  const files = createPictureFiles(objects, avatarSuffixes)
  const encode = () => Promise.reject(new Error('not called'))
  const own = { kind: 'avatar', files, encode, save: async () => {}, perHour: 10 } as const
  const avatars = createPictures({ db: auth.db, log: testLog, ...own })
  await avatars.removeOrphans()
  expect(await filesOf(avatar)).toEqual([])
  await avatars.removeDrafts()
})
