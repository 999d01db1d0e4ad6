import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { givenAccount } from '../testing/fixtures.ts'
import {
  animatedGif,
  animatedPng,
  animatedWebp,
  bombOf,
  cameraJpeg,
  chunkOf,
  gifOf,
  pixelArt,
  pixelArtPng,
  pngOf,
  pngOfChunks,
  sparseApng,
  sparseGif,
  withChunks,
  withExtension,
  withSegment,
} from '../testing/image-files.ts'
import { type FilePart, postMint } from '../testing/mint-form.ts'
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
  expect(await filesIn('640')).toContain(file.replace('.png', '.webp'))
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

test('a work that is 34 times as high as wide keeps its size, and its display sizes fit into WebP', async () => {
  const image = await imageOf(await pngOf(500, 17_000))
  expect(await sizeOf(image)).toEqual([500, 17_000])
  expect(await sizeOf(`${image}?w=960`)).toEqual([482, 16_383])
})

test('display sizes of colours with an ICC profile are in sRGB, so that they look the same without it', async () => {
  const colour = { r: 200, g: 60, b: 40 }
  const flat = sharp({ create: { width: 64, height: 64, channels: 3, background: colour } })
  const bytes = await flat.withIccProfile('p3').png().toBuffer()
  const embedded = await sharp(bytes, { ignoreIcc: true }).raw().toBuffer()
  expect(Math.abs(embedded[0]! - colour.r)).toBeGreaterThan(5)

  const image = await imageOf(bytes)
  expect((await get(image)).rawPayload.equals(bytes)).toBe(true)
  const display = (await get(`${image}?w=320`)).rawPayload
  expect((await sharp(display).metadata()).icc).toBeUndefined()
  const shown = await sharp(display).raw().toBuffer()
  for (const [channel, value] of Object.values(colour).entries())
    expect(Math.abs(shown[channel]! - value)).toBeLessThanOrEqual(3)
})

const sizeOf = async (path: string) => {
  const { width, height, pageHeight } = await sharp((await get(path)).rawPayload).metadata()
  return [width, pageHeight ?? height]
}
const pixelsOf = (bytes: Buffer) => sharp(bytes, { animated: true, ignoreIcc: true }).raw().toBuffer()

test('a work of more than 400 pixels is not enlarged', async () => {
  const image = await imageOf(await pngOf(401, 100))
  expect(await sizeOf(`${image}?w=960`)).toEqual([401, 100])
})

test('a work of at most 400 pixels is enlarged by a whole factor, and each of its pixels keeps its edges', async () => {
  const image = await imageOf(await pixelArtPng())
  for (const [width, side] of [
    [320, 336],
    [640, 648],
    [2400, 2400],
  ] as const) {
    const answer = await get(`${image}?w=${width}`, 'image/avif,image/webp,*/*')
    expect(answer.headers).toMatchObject({ 'content-type': 'image/webp' })
    expect(answer.headers['cache-control']).toContain('immutable')
    const { data, info } = await sharp(answer.rawPayload).raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height, info.channels]).toEqual([side, side, 3])
    const [art, factor] = [pixelArt(), side / 24]
    let differing = 0
    for (let at = 0; at < data.length; at += 3) {
      const [x, y] = [(at / 3) % side, Math.floor(at / 3 / side)]
      const from = 3 * (Math.floor(x / factor) + 24 * Math.floor(y / factor))
      if (data.compare(art, from, from + 3, at, at + 3) !== 0) differing++
    }
    expect(differing).toBe(0)
  }
  expect(await sizeOf(`${await imageOf(await pngOf(10, 400))}?w=640`)).toEqual([20, 800])
})

const exact: [string, string, Buffer, string][] = [
  ['a PNG of 24 × 24 pixels', 'image/png', await pixelArtPng(), 'png'],
  [
    'a palette PNG',
    'image/png',
    await sharp(await pixelArtPng())
      .png({ palette: true })
      .toBuffer(),
    'png',
  ],
  [
    'a PNG of 16 bits',
    'image/png',
    await sharp(await pixelArtPng())
      .toColourspace('rgb16')
      .png()
      .toBuffer(),
    'png',
  ],
  ['a GIF of 10 frames', 'image/gif', await animatedGif(), 'gif'],
  ['a WebP of 10 frames', 'image/webp', await animatedWebp(), 'webp'],
  ['a large GIF of 10 frames', 'image/gif', await animatedGif(500, 300), 'gif'],
  ['a PNG of 10 frames', 'image/png', animatedPng(), 'png'],
  [
    'a JPEG',
    'image/jpeg',
    await sharp(await pngOf(800, 600))
      .jpeg({ quality: 80 })
      .toBuffer(),
    'jpg',
  ],
]
test.each(exact)('%s is kept and served byte for byte, in its format', async (_what, type, bytes, extension) => {
  const image = await imageOf(bytes)
  expect(image).toMatch(new RegExp(`\\.${extension}$`))
  const answer = await get(image)
  expect(answer.headers).toMatchObject({ 'content-type': type, 'x-content-type-options': 'nosniff' })
  expect(answer.rawPayload.equals(bytes)).toBe(true)
})

test('a 12-megapixel photo keeps pixels and Display P3 exactly, and loses its place and camera', async () => {
  const photo = await cameraJpeg(4_000, 3_000)
  const image = await imageOf(photo)
  const master = (await get(image)).rawPayload
  const { width, height, exif, icc } = await sharp(master).metadata()
  expect({ width, height, exif }).toEqual({ width: 4_000, height: 3_000, exif: undefined })
  expect(icc).toEqual((await sharp(photo).metadata()).icc)
  expect(master.includes('SECRET')).toBe(false)
  expect((await pixelsOf(master)).equals(await pixelsOf(photo))).toBe(true)
  expect(await sizeOf(`${image}?w=2400`)).toEqual([2_400, 1_800])
})

test('a photo with an orientation is turned, at the best quality, in its own colours', async () => {
  const photo = await cameraJpeg(1_200, 900, 6)
  const master = (await get(await imageOf(photo))).rawPayload
  const { width, height, exif, icc, chromaSubsampling } = await sharp(master).metadata()
  expect({ width, height, exif, chromaSubsampling }).toEqual({
    width: 900,
    height: 1_200,
    exif: undefined,
    chromaSubsampling: '4:4:4',
  })
  expect(icc).toEqual((await sharp(photo).metadata()).icc)
  expect(master.includes('SECRET')).toBe(false)
  const expected = await sharp(photo, { ignoreIcc: true }).autoOrient().raw().toBuffer()
  const pixels = await pixelsOf(master)
  let largest = 0
  for (const [at, value] of pixels.entries()) largest = Math.max(largest, Math.abs(value - expected[at]!))
  expect(largest).toBeLessThanOrEqual(3)
})

test('a turned CMYK photo keeps its four colours', async () => {
  const cmyk = await sharp(await pngOf(60, 30))
    .toColourspace('cmyk')
    .jpeg()
    .toBuffer()
  const exif = Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0', 'latin1')
  const master = (await get(await imageOf(withSegment(cmyk, 0xe1, exif)))).rawPayload
  const { width, height, space, orientation } = await sharp(master).metadata()
  expect({ width, height, space, orientation }).toEqual({
    width: 30,
    height: 60,
    space: 'cmyk',
    orientation: undefined,
  })
})

test.each([
  ['GIF', await animatedGif(), true],
  ['GIF of more than 400 pixels', await animatedGif(500, 300), false],
  ['WebP', await animatedWebp(), true],
])('an animated %s moves where a page asks for it, and is a still in lists', async (_what, bytes, isExact) => {
  const image = await imageOf(bytes)
  expect(image).toContain('-animated.')
  expect((await sharp((await get(`${image}?w=640`)).rawPayload).metadata()).pages ?? 1).toBe(1)

  const moving = await get(`${image}?w=640&animated=true`, 'image/avif,image/webp,*/*')
  expect(moving.headers['content-type']).toBe('image/webp')
  const shown = await sharp(moving.rawPayload, { animated: true }).metadata()
  expect(shown).toMatchObject({ pages: 10, loop: 3, delay: Array(10).fill(70) })
  if (isExact) expect((await pixelsOf(moving.rawPayload)).equals(await pixelsOf(bytes))).toBe(true)
})

test('an animation is never wider than 960 pixels, and a still of it is', async () => {
  const image = await imageOf(await animatedGif(1200, 600))
  const sizeOf = async (query: string) => {
    const { width, height, pages, pageHeight } = await sharp((await get(`${image}?${query}`)).rawPayload).metadata()
    return [width, pageHeight ?? height, pages ?? 1]
  }
  expect(await sizeOf('w=640&animated=true')).toEqual([640, 320, 10])
  for (const width of [960, 1600, 2400]) expect(await sizeOf(`w=${width}&animated=true`)).toEqual([960, 480, 10])
  expect(await sizeOf('w=1600')).toEqual([1200, 600, 1])
})

test('an animated PNG keeps its frames, and is shown as a still', async () => {
  const image = await imageOf(animatedPng())
  expect((await get(image)).rawPayload.includes('acTL')).toBe(true)
  expect(image).not.toContain('animated')
  const shown = (await get(`${image}?w=640&animated=true`)).rawPayload
  expect((await sharp(shown).metadata()).pages ?? 1).toBe(1)
})

test('a value of `animated` other than true is refused', async () => {
  expect((await get(`${await imageOf(await pngOf(8, 8))}?w=320&animated=1`)).statusCode).toBe(400)
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
const damaged = (bytes: Buffer) => {
  const last = bytes.lastIndexOf('ANMF')
  return Buffer.concat([bytes.subarray(0, last + 34), Buffer.alloc(bytes.length - last - 34, 0x5a)])
}
const damagedPng = () =>
  pngOfChunks(
    chunkOf('IHDR', Buffer.from('000000180000001808020000', 'hex').subarray(0, 12)),
    chunkOf('IDAT', text('x')),
  )

test('what is hidden behind the end of an image, or in its comments, is not stored', async () => {
  const archive = text('PK\u0003\u0004hidden')
  const page = '<script>alert(1)</script>'
  for (const [bytes, hiding] of [
    [png, Buffer.concat([png, archive])],
    [png, withChunks(png, chunkOf('tEXt', text(page)))],
    [jpeg, withSegment(Buffer.concat([jpeg, archive]), 0xfe, page)],
    [await animatedGif(), withExtension(await animatedGif(), 0xfe, page)],
  ] as const)
    expect((await get(await imageOf(hiding))).rawPayload.equals(bytes)).toBe(true)
})

test.each<[string, FilePart[]]>([
  ['an SVG', [{ bytes: text('<svg xmlns="http://www.w3.org/2000/svg"/>'), name: 'a.svg', type: 'image/svg+xml' }]],
  ['an SVG that says it is a PNG', [{ bytes: text('<svg xmlns="http://www.w3.org/2000/svg"/>') }]],
  ['a page', [{ bytes: text('<html><script>alert(1)</script></html>'), name: 'a.html', type: 'text/html' }]],
  ['a page that says it is a PNG', [{ bytes: text('<html><script>alert(1)</script></html>') }]],
  ['a PDF', [{ bytes: text('%PDF-1.7 …'), name: 'a.pdf', type: 'application/pdf' }]],
  ['a GIF that is a script', [{ bytes: text('GIF89a/*…*/=alert(1);'), name: 'a.gif', type: 'image/gif' }]],
  ['a PNG that was cut', [{ bytes: (await pngOf(400, 400)).subarray(0, 200) }]],
  ['a JPEG without its end', [{ bytes: jpeg.subarray(0, -2) }]],
  ['a GIF without its trailer', [{ bytes: (await animatedGif()).subarray(0, -1) }]],
  ['an animated WebP whose last frame is damaged', [{ bytes: damaged(await animatedWebp()) }]],
  ['a PNG whose pixels are damaged', [{ bytes: damagedPng() }]],
  ['an animated PNG of fewer frames than it announces', [{ bytes: animatedPng(48, 32, { announced: 11 }) }]],
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

test('an animated PNG of more than 100 megapixels in all is refused, though it is decoded as a still', async () => {
  const answer = await upload([{ bytes: sparseApng({ side: 3_200, frames: 10 }) }])
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
