import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openFolder } from '@nifty/service-kit/objects/folder-objects'
import { testLog } from '@nifty/service-kit/testing/log'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { updateAccount } from '../accounts/account.store.ts'
import { givenMember, type Member, startTestAuth } from '../testing/auth.ts'
import {
  animation,
  hugePng,
  image,
  type Part,
  servedHeaders,
  svg,
  truncated,
  uploadPicture,
} from '../testing/pictures.ts'
import { createPictures } from './picture.actions.ts'
import { encodeCover } from './picture.encode.ts'
import { createPictureFiles } from './picture.files.ts'
import { coverSuffixes, coverWidths } from './picture.ts'

const auth = await startTestAuth({}, afterAll)
const folder = join(auth.uploadsDir, 'covers')

const upload = (member: Member, part: Part | undefined) =>
  uploadPicture(auth, member, { path: 'cover', parts: part ? [{ field: 'cover', ...part }] : [] })
const coverOf = async ({ username }: Member) =>
  (await auth.call('GET', `/api/users/profile/${encodeURIComponent(username)}`)).body.cover
const show = (path: string) => auth.app.inject({ url: path })
const sizeOf = async (path: string) => {
  const { width, height, format } = await sharp((await show(path)).rawPayload).metadata()
  return { width, height, format }
}
const filesOf = async (path: string) =>
  (await readdir(folder)).filter((file) => file.startsWith(path.split('/').at(-1)!.slice(0, 32)))

test('a profile has no cover at first, and an upload is shown in four widths of one shape', async () => {
  const ada = await givenMember(auth)
  expect(await coverOf(ada)).toBeNull()

  const { status, body } = await upload(ada, { bytes: await image('jpeg', { width: 3000, height: 2000 }) })
  expect(status).toBe(200)
  expect(body.cover).toMatch(/^\/uploads\/covers\/[0-9a-f]{32}\.webp$/)
  expect(await coverOf(ada)).toBe(body.cover)
  for (const width of coverWidths)
    expect(await sizeOf(`${body.cover}?w=${width}`)).toEqual({ width, height: Math.round(width / 3), format: 'webp' })
  expect(await sizeOf(body.cover)).toMatchObject({ width: 2400 })

  const { headers, rawPayload } = await show(`${body.cover}?w=640`)
  expect(headers).toMatchObject(servedHeaders)
  expect((await sharp(rawPayload).metadata()).exif).toBeUndefined()
})

test('a small, an upright and a rotated picture are cropped and not enlarged', async () => {
  const ada = await givenMember(auth)
  const cover = async (bytes: Buffer) => (await upload(ada, { bytes })).body.cover
  expect(await sizeOf(await cover(await image('png', { width: 300, height: 900 })))).toMatchObject({
    width: 300,
    height: 100,
  })
  expect(await sizeOf(await cover(await image('png', { width: 1, height: 1 })))).toMatchObject({ width: 1, height: 1 })
  const turned = await sharp(await image('jpeg', { width: 300, height: 1200 }))
    .withMetadata({ orientation: 6 })
    .toBuffer()
  expect(await sizeOf(await cover(turned))).toMatchObject({ width: 900, height: 300 })
})

test('the first frame of an animation is shown', async () => {
  const { body } = await upload(await givenMember(auth), { bytes: await animation(5), type: 'image/gif' })
  expect((await sharp((await show(body.cover)).rawPayload, { animated: true }).metadata()).pages ?? 1).toBe(1)
})

const bad: [string, () => Promise<Part | undefined> | Part | undefined, object][] = [
  ['an SVG', () => ({ bytes: svg, type: 'image/svg+xml' }), { status: 400, body: { code: 'not_an_image' } }],
  ['a truncated image', async () => ({ bytes: await truncated() }), { status: 400, body: { code: 'not_an_image' } }],
  ['no file', () => undefined, { status: 400, body: { code: 'not_an_image' } }],
  [
    'another field',
    async () => ({ field: 'avatar', bytes: await image('png') }),
    { status: 400, body: { code: 'not_an_image' } },
  ],
  ['too many pixels', () => ({ bytes: hugePng(30_000, 30_000) }), { status: 400, body: { code: 'image_too_big' } }],
  ['too many bytes', () => ({ bytes: Buffer.alloc(11 * 1024 * 1024) }), { status: 413, body: { code: 'too_large' } }],
]
test.each(bad)('%s is refused, and the cover stays unchanged', async (_, part, expected) => {
  const ada = await givenMember(auth)
  const { cover } = (await upload(ada, { bytes: await image('png') })).body
  const before = await readdir(folder)
  expect(await upload(ada, await part())).toMatchObject(expected)
  expect(await coverOf(ada)).toBe(cover)
  expect(await readdir(folder)).toEqual(before)
})

test.each([
  [`${'a'.repeat(32)}.webp`, 404],
  ['nothing.webp', 404],
  ['..%2f..%2fetc%2fpasswd', 400],
  [`${'a'.repeat(32)}.webp?w=641`, 400],
  [`${'a'.repeat(32)}.webp?w=../1`, 400],
])('GET of the file %s is a %i', async (name, expected) => {
  expect((await show(`/uploads/covers/${name}`)).statusCode).toBe(expected)
})

test('a replaced, a removed and a deleted account’s cover leave no file', async () => {
  const ada = await givenMember(auth)
  const first = (await upload(ada, { bytes: await image('png') })).body.cover
  const second = (await upload(ada, { bytes: await image('webp') })).body.cover
  expect([(await filesOf(first)).length, (await filesOf(second)).length]).toEqual([0, coverWidths.length])

  const remove = () => auth.call('DELETE', `/api/users/${ada.id}/cover`, ada)
  for (const time of [1, 2]) expect([time, (await remove()).status]).toEqual([time, 200])
  expect(await coverOf(ada)).toBeNull()
  expect([(await show(second)).statusCode, (await filesOf(second)).length]).toEqual([404, 0])

  const third = (await upload(ada, { bytes: await image('png') })).body.cover
  expect((await auth.call('DELETE', `/api/users/${ada.id}`, ada)).status).toBe(200)
  expect([(await show(third)).statusCode, (await filesOf(third)).length]).toEqual([404, 0])
})

test('another account changes and removes no cover, and neither does a visitor', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const { cover } = (await upload(ada, { bytes: await image('png') })).body
  const bytes = await image('png')
  expect((await upload({ ...ada, token: eve.token }, { bytes })).status).toBe(403)
  expect((await auth.call('DELETE', `/api/users/${ada.id}/cover`, { token: eve.token })).status).toBe(403)
  expect((await auth.call('DELETE', `/api/users/${ada.id}/cover`)).status).toBe(401)
  expect(await coverOf(ada)).toBe(cover)
})

test('the eleventh upload within an hour is a 429', async () => {
  const ada = await givenMember(auth)
  const bytes = await image('png', { width: 9, height: 3 })
  for (let time = 0; time < 10; time++) expect((await upload(ada, { bytes })).status).toBe(200)
  expect((await upload(ada, { bytes })).status).toBe(429)
})

test('orphaned files of an interrupted upload are removed after an hour, the shown cover stays', async () => {
  const ada = await givenMember(auth)
  const shown = (await upload(ada, { bytes: await image('png') })).body.cover
  const files = createPictureFiles(await openFolder(folder), coverSuffixes)
  const orphan = files.newName()
  await auth.db.insertInto('coverFile').values({ name: orphan, accountId: ada.id }).execute()
  await files.write(orphan, await encodeCover(await image('png')))
  const own = {
    kind: 'cover',
    files,
    encode: (_: string, bytes: Buffer) => encodeCover(bytes),
    save: updateAccount,
  } as const
  const covers = createPictures({ db: auth.db, log: testLog, ...own, perHour: 10 })

  await covers.removeOrphans()
  expect(await filesOf(orphan)).toHaveLength(coverWidths.length)
  await sql`update cover_file set created_at = now() - interval '2 hours'`.execute(auth.db)
  await covers.removeOrphans()
  expect(await filesOf(orphan)).toEqual([])
  expect(await filesOf(shown)).toHaveLength(coverWidths.length)
})

test('the export of own data has the cover', async () => {
  const ada = await givenMember(auth)
  const { cover } = (await upload(ada, { bytes: await image('png') })).body
  const { records } = (await auth.call('GET', '/api/auth/export', ada)).body
  expect(records.find(({ kind }: { kind: string }) => kind === 'account').data.cover).toBe(cover)
})
