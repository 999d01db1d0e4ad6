import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { givenAccount } from '../testing/fixtures.ts'
import { bombOf, type FilePart, gifOf, pngOf, postMint, sparseGif } from '../testing/mint-form.ts'
import { startTestMinting } from '../testing/minting.ts'

const minting = await startTestMinting({ mintsPerHour: 1000 })
const { userId } = await givenAccount(minting, { admin: true })
const upload = (files: FilePart[]) => postMint(minting, userId, { files })
const imageOf = async (bytes: Buffer) => (await upload([{ bytes }])).json().image as string
const get = (path: string, accept = 'image/webp,*/*') => minting.app.inject({ url: path, headers: { accept } })
const filesIn = (folder: string) => readdir(join(minting.uploadsDir, 'nfts', folder)).catch(() => [])

test('an image is stored in its first width before the mint is accepted', async () => {
  const image = await imageOf(await pngOf())
  const file = image.split('/').at(-1)!
  expect(await filesIn('master')).toContain(file)
  expect(await filesIn('640')).toContain(file)
})

test('an image is served in all widths, immutable, with headers that prevent other uses', async () => {
  const image = await imageOf(await pngOf(2600, 1300))
  for (const width of [320, 640, 960, 1600, 2400]) {
    const answer = await get(`${image}?w=${width}`)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect((await sharp(answer.rawPayload).metadata()).width).toBe(width)
  }
  expect((await sharp((await get(image)).rawPayload).metadata()).width).toBe(2600)
})

test('an image is reduced to 4096 pixels on its longer side', async () => {
  const image = await imageOf(await pngOf(1500, 6000))
  const { width, height } = await sharp((await get(image)).rawPayload).metadata()
  expect([width, height]).toEqual([1024, 4096])
})

test('colours with an ICC profile are converted to sRGB, so that they look the same without it', async () => {
  const colour = { r: 200, g: 60, b: 40 }
  const flat = sharp({ create: { width: 64, height: 64, channels: 3, background: colour } })
  const bytes = await flat.withIccProfile('p3').png().toBuffer()
  const embedded = await sharp(bytes, { ignoreIcc: true }).raw().toBuffer()
  expect(Math.abs(embedded[0]! - colour.r)).toBeGreaterThan(5)

  const master = (await get(await imageOf(bytes))).rawPayload
  expect((await sharp(master).metadata()).icc).toBeUndefined()
  const shown = await sharp(master).raw().toBuffer()
  for (const [channel, value] of Object.values(colour).entries())
    expect(Math.abs(shown[channel]! - value)).toBeLessThanOrEqual(3)
})

test('a small image is not enlarged', async () => {
  const image = await imageOf(await pngOf(200, 100))
  expect((await sharp((await get(`${image}?w=960`)).rawPayload).metadata()).width).toBe(200)
})

test('AVIF is encoded once, in the background; WebP is served until then', async () => {
  const image = await imageOf(await pngOf(1000, 700))
  const avif = 'image/avif,image/webp,*/*'
  const first = await Promise.all(Array.from({ length: 8 }, () => get(`${image}?w=640`, avif)))
  for (const answer of first.filter(({ headers }) => headers['content-type'] === 'image/webp'))
    expect(answer.headers['cache-control']).toBe('public, max-age=30')
  await minting.until(async () => (await get(`${image}?w=640`, avif)).headers['content-type'] === 'image/avif')

  const answer = await get(`${image}?w=640`, avif)
  expect(answer.headers['cache-control']).toContain('immutable')
  expect((await sharp(answer.rawPayload).metadata()).format).toBe('heif')
  const made = (await filesIn('640')).filter((name) => name.startsWith(image.split('/').at(-1)!.split('.')[0]!))
  expect(made).toHaveLength(2)
})

test.each(['641', '0', '-1', '1e3', 'abc', '99999999'])('a width of %s is refused', async (width) => {
  expect((await get(`${await imageOf(await pngOf(8, 8))}?w=${width}`)).statusCode).toBe(400)
})

test.each([
  'nope.webp',
  '..%2f..%2fsecret.webp',
  '%00.webp',
  '00000000-0000-4000-8000-000000000000.webp',
  '00000000-0000-4000-8000-000000000000.png',
])('no file is read for the name %s', async (name) => {
  expect([400, 404]).toContain((await get(`/uploads/nfts/${name}`)).statusCode)
})

test('metadata is removed, and the orientation is applied', async () => {
  const bytes = await sharp(await pngOf(60, 30))
    .jpeg()
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const { image } = (await upload([{ bytes, name: 'a.jpg', type: 'image/jpeg' }])).json()
  const { exif, width, height } = await sharp((await get(image)).rawPayload).metadata()
  expect({ exif, width, height }).toEqual({ exif: undefined, width: 30, height: 60 })
})

test('JPEG, GIF and WebP are accepted', async () => {
  const image = sharp(await pngOf(40, 40))
  for (const [kind, type, bytes] of [
    ['jpeg', 'image/jpeg', await image.clone().jpeg().toBuffer()],
    ['gif', 'image/gif', await gifOf(3)],
    ['webp', 'image/webp', await image.clone().webp().toBuffer()],
  ] as const)
    expect((await upload([{ bytes, name: `a.${kind}`, type }])).statusCode).toBe(202)
})

const png = await pngOf(20, 20)
const jpeg = await sharp(png).jpeg().toBuffer()

test.each<[string, FilePart]>([
  ['a JPEG named .jfif', { bytes: jpeg, name: 'picture.jfif', type: 'image/jpeg' }],
  ['a JPEG named .jpe', { bytes: jpeg, name: 'picture.JPE', type: 'image/jpeg' }],
  ['a JPEG of an older name of its type', { bytes: jpeg, name: 'a.jpg', type: 'image/pjpeg' }],
  ['a JPEG that says it is a PNG', { bytes: jpeg, name: 'a.png', type: 'image/png' }],
  ['a PNG without a type', { bytes: png, name: 'a', type: '' }],
  ['a PNG by the name of a page', { bytes: png, name: 'a.png.html', type: 'text/html' }],
  ['a PNG by the name of a path', { bytes: png, name: '../../x.png' }],
  ['a PNG by a name of 300 letters', { bytes: png, name: `${'x'.repeat(300)}.png` }],
])('%s is accepted: the content decides, not its name', async (_what, file) => {
  expect((await upload([file])).json()).toMatchObject({ state: 'accepted' })
})

const text = (content: string) => Buffer.from(content)
test.each<[string, FilePart[]]>([
  ['an SVG', [{ bytes: text('<svg xmlns="http://www.w3.org/2000/svg"/>'), name: 'a.svg', type: 'image/svg+xml' }]],
  ['an SVG that says it is a PNG', [{ bytes: text('<svg xmlns="http://www.w3.org/2000/svg"/>') }]],
  ['a page', [{ bytes: text('<html><script>alert(1)</script></html>'), name: 'a.html', type: 'text/html' }]],
  ['a page that says it is a PNG', [{ bytes: text('<html><script>alert(1)</script></html>') }]],
  ['a PDF', [{ bytes: text('%PDF-1.7 …'), name: 'a.pdf', type: 'application/pdf' }]],
  ['a GIF that is a script', [{ bytes: text('GIF89a/*…*/=alert(1);'), name: 'a.gif', type: 'image/gif' }]],
  ['a PNG with an archive behind it', [{ bytes: Buffer.concat([png, text('PK\u0003\u0004hidden')]) }]],
  ['a PNG that was cut', [{ bytes: (await pngOf(400, 400)).subarray(0, 200) }]],
  ['an empty file', [{ bytes: Buffer.alloc(0) }]],
  ['no file', []],
  ['two files', [{ bytes: png }, { bytes: png }]],
  ['a file in another field', [{ bytes: png, field: 'avatar' }]],
])('%s is refused', async (_what, files) => {
  const before = await filesIn('master')
  const answer = await upload(files)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ success: false, message: 'Only PNG, JPEG, GIF or WebP images are allowed' })
  expect(await filesIn('master')).toEqual(before)
})

test('an image of 30000 by 30000 pixels in a few kilobytes is refused before it is decoded', async () => {
  const bytes = bombOf(30_000, 30_000)
  expect(bytes.length).toBeLessThan(5_000)
  const answer = await upload([{ bytes }])
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 'image_too_big' })
})

test('a GIF of more than 200 frames is refused', async () => {
  const answer = await upload([{ bytes: await gifOf(201), name: 'a.gif', type: 'image/gif' }])
  expect(answer.json()).toMatchObject({ code: 'image_too_big' })
})

test('a GIF whose frames have more than 100 megapixels together is refused, though each frame is small', async () => {
  const send = (frames: number) =>
    upload([{ bytes: sparseGif({ width: 1000, height: 1000, frames }), name: 'a.gif', type: 'image/gif' }])
  expect((await send(100)).statusCode).toBe(202)
  const answer = await send(101)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 'image_too_big' })
})

test('a file above 20 MB is too large', async () => {
  const bytes = Buffer.concat([png, Buffer.alloc(20 * 1024 * 1024)])
  const answer = await upload([{ bytes }])
  expect(answer.statusCode).toBe(413)
  expect(answer.json()).toMatchObject({ code: 'too_large' })
})

test('a body that is no form is a 415, and a malformed form a 400', async () => {
  const send = (type: string, payload: string) =>
    minting.app.inject({
      method: 'POST',
      url: '/api/mints',
      headers: { ...minting.bearer(userId), 'content-type': type },
      payload,
    })
  expect((await send('application/json', '{"name":"x"}')).statusCode).toBe(415)
  expect((await send('text/plain', 'x')).statusCode).toBe(415)
  expect((await send('multipart/form-data', 'x')).statusCode).toBe(400)
  expect((await send('multipart/form-data; boundary=x', '--x\r\nnonsense')).statusCode).toBe(400)
})
