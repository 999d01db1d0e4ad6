import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openFolder } from '@nifty/service-kit/objects/folder-objects'
import { testLog } from '@nifty/service-kit/testing/log'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { changeAccount } from '../accounts/account.actions.ts'
import { givenMember, type Member, publishedEvents, startTestAuth } from '../testing/auth.ts'
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
import { encodeAvatar } from './picture.encode.ts'
import { createPictureFiles } from './picture.files.ts'
import { avatarSuffixes, fileName } from './picture.ts'

const auth = await startTestAuth({}, afterAll)
const smallAvatar = (avatar: string) => fileName(avatar, '-s')
const refusal = { success: false, message: 'Only PNG, JPEG, GIF or WebP images are allowed' }

const upload = (member: Member, parts: Part[]) => uploadPicture(auth, member, { path: 'upload-avatar', parts })
const avatarOf = async ({ token }: Member) => (await auth.call('GET', '/api/auth/user', { token })).body.user.avatar
const files = () => readdir(join(auth.uploadsDir, 'avatars'))
const show = async (path: string) => auth.app.inject({ url: path })

test('an upload is re-encoded as a square WebP without metadata, under a generated name', async () => {
  const ada = await givenMember(auth)

  const { status, body } = await upload(ada, [
    { bytes: await image('jpeg'), name: 'my holiday.jpg', type: 'image/jpeg' },
  ])

  expect(status).toBe(200)
  expect(body.avatar).toMatch(/^\/uploads\/avatars\/[0-9a-f]{32}\.webp$/)
  expect(await avatarOf(ada)).toBe(body.avatar)
  expect((await publishedEvents(auth.db, 'account-changed', ada.id)).at(-1)).toMatchObject({ avatar: body.avatar })
  const found = await sharp((await show(body.avatar)).rawPayload).metadata()
  expect(found).toMatchObject({ format: 'webp', width: 400, height: 400 })
  expect(found.exif).toBeUndefined()
})

test('an avatar has a small picture of 144 pixels, and one of an older release is served in its place', async () => {
  const { body } = await upload(await givenMember(auth), [{ bytes: await image('png') }])
  const small = await show(smallAvatar(body.avatar))
  expect(small.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' })
  expect(await sharp(small.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 144, height: 144 })
  expect(small.rawPayload.length).toBeLessThan((await show(body.avatar)).rawPayload.length)

  await rm(join(auth.uploadsDir, 'avatars', smallAvatar(body.avatar.split('/').at(-1))))
  expect((await show(smallAvatar(body.avatar))).rawPayload).toEqual((await show(body.avatar)).rawPayload)
})

test('an avatar is served as an image only, with immutable caching', async () => {
  const { body } = await upload(await givenMember(auth), [{ bytes: await image('png') }])
  const { statusCode, headers } = await show(body.avatar)
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject(servedHeaders)
})

test.each([
  ['nothing.webp', 404],
  [`${'a'.repeat(32)}.webp`, 404],
  [`${'a'.repeat(32)}.svg`, 404],
  ['..%2f..%2fetc%2fpasswd', 400],
  ['.%2e%2f.%2e%2fetc%2fpasswd', 400],
])('GET of the file %s is a %i', async (name, expected) => {
  expect((await show(`/uploads/avatars/${name}`)).statusCode).toBe(expected)
})

test('an animation stays animated', async () => {
  const { body } = await upload(await givenMember(auth), [
    { bytes: await animation(5), name: 'a.gif', type: 'image/gif' },
  ])
  const found = await sharp((await show(body.avatar)).rawPayload, { animated: true }).metadata()
  expect(found).toMatchObject({ format: 'webp', pages: 5 })
})

test('an image with a misleading name or type, or with appended bytes, is accepted and re-encoded', async () => {
  const ada = await givenMember(auth)
  const png = await image('png')
  const zip = Buffer.concat([png, Buffer.from('PK\x03\x04 <script>alert(1)</script>')])
  const odd = [
    { bytes: zip, name: 'x.png.html' },
    { bytes: png, name: '../../../etc/x.png' },
    { bytes: png, name: `${'x'.repeat(300)}.png` },
    { bytes: png, name: 'x\0.png' },
    { bytes: png, type: 'image/jpeg' },
  ]
  for (const part of odd) {
    const { status, body } = await upload(ada, [part])
    expect(status).toBe(200)
    expect((await show(body.avatar)).rawPayload.toString('latin1')).not.toContain('script')
  }
  for (const name of await files()) expect(name).toMatch(/^[0-9a-f]{32}(-s)?\.webp$/)
})

const bad: [string, () => Promise<Part[]> | Part[]][] = [
  ['an SVG', () => [{ bytes: svg, name: 'x.svg', type: 'image/svg+xml' }]],
  ['an SVG declared as a PNG', () => [{ bytes: svg }]],
  ['HTML', () => [{ bytes: '<html><script>alert(1)</script>' }]],
  ['a PDF', () => [{ bytes: '%PDF-1.7', type: 'application/pdf' }]],
  [
    'a TIFF',
    async () => [
      {
        bytes: await sharp(await image('png'))
          .tiff()
          .toBuffer(),
      },
    ],
  ],
  ['a script with the magic bytes of a GIF', () => [{ bytes: 'GIF89a/*\0\0\0\0*/=1;alert(1)' }]],
  ['a truncated image', async () => [{ bytes: await truncated() }]],
  ['nothing', () => [{ bytes: '' }]],
  ['no file', () => []],
  ['another field', async () => [{ field: 'image', bytes: await image('png') }]],
  ['two files', async () => [{ bytes: await image('png') }, { bytes: await image('png') }]],
]

test.each(bad)('%s is refused, and the avatar stays unchanged', async (_, parts) => {
  const ada = await givenMember(auth)
  const before = await files()
  expect(await upload(ada, await parts())).toMatchObject({ status: 400, body: refusal })
  expect(await avatarOf(ada)).toBeNull()
  expect(await files()).toEqual(before)
})

test('too many bytes, pixels or frames are refused before anything is decoded', async () => {
  const ada = await givenMember(auth)
  expect((await upload(ada, [{ bytes: Buffer.alloc(6 * 1024 * 1024) }])).status).toBe(413)
  const big = { status: 400, body: { code: 'image_too_big' } }
  expect(await upload(ada, [{ bytes: hugePng(30_000, 30_000) }])).toMatchObject(big)
  expect(await upload(ada, [{ bytes: await animation(201) }])).toMatchObject(big)
})

test('the file of a replaced or deleted avatar is removed', async () => {
  const ada = await givenMember(auth)
  const first = (await upload(ada, [{ bytes: await image('png') }])).body.avatar
  const second = (await upload(ada, [{ bytes: await image('webp') }])).body.avatar
  expect((await show(first)).statusCode).toBe(404)
  expect((await show(second)).statusCode).toBe(200)
  await auth.call('DELETE', `/api/users/${ada.id}`, ada)
  expect((await show(second)).statusCode).toBe(404)
  const names = [first, second].map((path) => path.split('/').at(-1).slice(0, 32))
  expect((await files()).filter((file) => names.includes(file.slice(0, 32)))).toEqual([])
})

test('the eleventh upload within an hour is a 429', async () => {
  const ada = await givenMember(auth)
  const bytes = await image('png', { width: 8, height: 8 })
  for (let time = 0; time < 10; time++) expect((await upload(ada, [{ bytes }])).status).toBe(200)
  const { status, headers } = await upload(ada, [{ bytes }])
  expect(status).toBe(429)
  expect(Number(headers['retry-after'])).toBeGreaterThan(3500)
})

test('orphaned files of an interrupted upload are removed after an hour, avatars in use stay', async () => {
  const ada = await givenMember(auth)
  const shown = (await upload(ada, [{ bytes: await image('png') }])).body.avatar.split('/').at(-1)
  const folder = createPictureFiles(await openFolder(join(auth.uploadsDir, 'avatars')), avatarSuffixes)
  const orphan = folder.newName()
  await auth.db.insertInto('avatarFile').values({ name: orphan, accountId: ada.id }).execute()
  const bytes = Buffer.from('x')
  await folder.write(orphan, { '-s': bytes, '': bytes })
  const own = {
    kind: 'avatar',
    files: folder,
    encode: (_: string, bytes: Buffer) => encodeAvatar(bytes),
    save: changeAccount,
  } as const
  const avatars = createPictures({ db: auth.db, log: testLog, ...own, perHour: 10 })

  await avatars.removeOrphans()
  expect(await files()).toContain(orphan)
  await sql`update avatar_file set created_at = now() - interval '2 hours'`.execute(auth.db)
  await avatars.removeOrphans()

  expect((await files()).filter((name) => orphan.startsWith(name.slice(0, 32)))).toEqual([])
  expect(await files()).toContain(shown)
})
