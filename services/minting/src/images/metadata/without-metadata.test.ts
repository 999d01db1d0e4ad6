import { ExpectedError } from '@nifty/service-kit/base/errors'
import { imageFormatOf } from '@nifty/service-kit/images/image-format'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import {
  animatedGif,
  animatedPng,
  animatedWebp,
  cameraJpeg,
  chunkOf,
  pixelArtPng,
  pngOf,
  pngOfChunks,
  withChunks,
  withExtension,
  withSegment,
  withWebpChunk,
} from '../../testing/image-files.ts'
import { pngFrames } from './png.ts'
import { withoutMetadata } from './without-metadata.ts'

const strip = (bytes: Buffer) => withoutMetadata(bytes, imageFormatOf(bytes)!)
const text = (content: string) => Buffer.from(content, 'latin1')
const notAnImage = expect.objectContaining({ statusCode: 400, code: 'not_an_image' })

const png = await pixelArtPng()
const jpeg = await sharp(png).jpeg({ quality: 90 }).toBuffer()
const webp = await sharp(png).webp({ lossless: true }).toBuffer()
const [apng, gif, movingWebp] = [animatedPng(), await animatedGif(), await animatedWebp()]
const p3Png = await sharp(png).withIccProfile('p3').png().toBuffer()
const p3Webp = await sharp(png).withIccProfile('p3').webp({ lossless: true }).toBuffer()

const profileBlocks = (await sharp(p3Png).metadata()).icc!.toString('latin1').match(/.{1,255}/gs)!

const clean: [string, Buffer][] = [
  ['PNG', png],
  ['palette PNG', await sharp(png).png({ palette: true }).toBuffer()],
  ['PNG of 16 bits', await sharp(png).toColourspace('rgb16').png().toBuffer()],
  ['interlaced PNG with alpha', await sharp(png).ensureAlpha(0.5).png({ progressive: true }).toBuffer()],
  ['PNG with a profile', p3Png],
  ['animated PNG', apng],
  ['GIF', await sharp(png).gif().toBuffer()],
  ['animated GIF', gif],
  ['lossy WebP', await sharp(png).webp().toBuffer()],
  ['WebP with alpha', await sharp(png).ensureAlpha(0.5).webp().toBuffer()],
  ['WebP with a profile', p3Webp],
  ['animated WebP', movingWebp],
  ['JPEG', jpeg],
  ['progressive JPEG', await sharp(png).jpeg({ progressive: true }).toBuffer()],
  ['grey JPEG', await sharp(png).toColourspace('b-w').jpeg().toBuffer()],
  [
    'JPEG with restarts',
    await sharp(await pngOf(64, 64))
      .jpeg({ trellisQuantisation: false })
      .toBuffer(),
  ],
]

test.each(clean)('a %s without metadata stays byte for byte', (_what, bytes) => {
  expect(strip(bytes).equals(bytes)).toBe(true)
})

test('of a PNG texts, EXIF, times and unknown chunks are cut, and colours stay', () => {
  const colours = [
    chunkOf('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])),
    chunkOf('cHRM', Buffer.alloc(32, 1)),
    chunkOf('cICP', Buffer.from([12, 13, 0, 1])),
  ]
  const metadata = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME', 'prVt', 'caBX', 'sPLT'].map((type) =>
    chunkOf(type, text('SECRET')),
  )
  const stripped = strip(withChunks(png, ...metadata, ...colours, ...metadata))
  expect(stripped.equals(withChunks(png, ...colours))).toBe(true)
})

test('of a PNG that is not animated, chunks of an animation are cut', () => {
  const stray = [chunkOf('fcTL', Buffer.alloc(26)), chunkOf('fdAT', text('SECRET'))]
  expect(strip(withChunks(png, ...stray)).equals(png)).toBe(true)
})

test('of a GIF comments, texts, XMP and the data of other applications are cut, and repetitions stay', () => {
  let bytes = withExtension(gif, 0xfe, 'SECRET comment')
  bytes = withExtension(bytes, 0x01, 'SECRET text ')
  bytes = withExtension(bytes, 0xff, 'XMP DataXMP', 'SECRET')
  bytes = withExtension(bytes, 0xff, 'MGK8BIM0000', 'SECRET')
  expect(strip(bytes).equals(gif)).toBe(true)
  expect(gif.includes('NETSCAPE2.0')).toBe(true)
})

test('of a WebP EXIF, XMP and unknown chunks are cut, with the flags that announce them', async () => {
  const withMetadata = await sharp(p3Webp)
    .keepIccProfile()
    .withExif({ IFD0: { Make: 'SECRET' } })
    .webp({ lossless: true })
    .toBuffer()
  const stripped = strip(withWebpChunk(withWebpChunk(withMetadata, 'XMP ', 'SECRET'), 'junk', 'SECRET'))
  expect(stripped.equals(p3Webp)).toBe(true)
})

test('of a frame of a WebP unknown chunks are cut', () => {
  const frame = movingWebp.indexOf('ANMF')
  const size = movingWebp.readUInt32LE(frame + 4)
  const end = frame + 8 + size
  const hidden = Buffer.concat([text('junk'), Buffer.from([6, 0, 0, 0]), text('SECRET')])
  const bytes = Buffer.concat([movingWebp.subarray(0, end), hidden, movingWebp.subarray(end)])
  bytes.writeUInt32LE(size + hidden.length, frame + 4)
  bytes.writeUInt32LE(bytes.length - 8, 4)
  expect(strip(bytes).equals(movingWebp)).toBe(true)
})

test('of a JPEG everything but picture, profile and the kind of colours is cut', async () => {
  const p3 = await sharp(png).withIccProfile('p3').jpeg().toBuffer()
  let bytes = p3
  for (const [marker, data] of [
    [0xe1, 'Exif\0\0SECRET'],
    [0xe1, 'http://ns.adobe.com/xap/1.0/\0SECRET'],
    [0xe2, 'MPF\0SECRET'],
    [0xeb, 'JP SECRET'],
    [0xed, 'Photoshop 3.0\0SECRET'],
    [0xfe, 'SECRET'],
  ] as const)
    bytes = withSegment(bytes, marker, data)
  const stripped = strip(bytes)
  expect(stripped.equals(p3)).toBe(true)
  expect((await sharp(stripped).metadata()).icc).toEqual((await sharp(p3).metadata()).icc)
})

test('the preview of a JFIF header is cut, and the density of its pixels stays', () => {
  const head = (width: number, ...preview: number[]) =>
    Buffer.from([...text('JFIF\0\x01\x02\0'), 0, 1, 0, 2, width, width, ...preview])
  const bytes = withSegment(jpeg, 0xe0, head(1, 1, 2, 3))
  expect(strip(bytes).equals(withSegment(jpeg, 0xe0, head(0)))).toBe(true)
})

test('an Adobe segment keeps how the colours of a CMYK JPEG are read, and nothing more', async () => {
  const cmyk = await sharp(png).toColourspace('cmyk').jpeg().toBuffer()
  expect((await sharp(cmyk).metadata()).space).toBe('cmyk')
  const adobe = cmyk.indexOf('Adobe') - 4
  const longer = Buffer.concat([cmyk.subarray(0, adobe + 16), text('SECRET'), cmyk.subarray(adobe + 16)])
  longer.writeUInt16BE(14 + 6, adobe + 2)
  expect(strip(longer).equals(strip(cmyk))).toBe(true)
  expect(await pixelsOf(strip(longer))).toEqual(await pixelsOf(cmyk))
})

const pixelsOf = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer()

test.each(clean)('of a %s bytes after its end are cut', (_what, bytes) => {
  for (const tail of ['x', 'PK\u0003\u0004hidden', '<script>alert(1)</script>', 'x'.repeat(70_000)])
    expect(strip(Buffer.concat([bytes, text(tail)])).equals(bytes)).toBe(true)
})

test.each(clean)('a %s that is cut off anywhere is refused', (_what, bytes) => {
  for (let length = 12; length < bytes.length; length += bytes.length > 2_000 ? 7 : 1)
    expect(() => strip(bytes.subarray(0, length)), `${length} of ${bytes.length} bytes`).toThrow(notAnImage)
})

test.each(clean)('a %s with any byte changed is stripped or refused', (_what, bytes) => {
  for (let at = 12; at < bytes.length; at += bytes.length > 2_000 ? 5 : 1)
    for (const value of [0x00, 0x7f, 0xff, 0x3b]) {
      const damaged = Buffer.from(bytes)
      damaged[at] = value
      try {
        expect(strip(damaged).length).toBeLessThanOrEqual(damaged.length + 1)
      } catch (error) {
        expect(error).toBeInstanceOf(ExpectedError)
      }
    }
})

test.each<[string, Buffer]>([
  ['a PNG with a wrong checksum', Buffer.concat([png.subarray(0, 29), Buffer.from([1]), png.subarray(30)])],
  ['a PNG without a header', pngOfChunks(chunkOf('IDAT', Buffer.alloc(9)))],
  ['a PNG with an unknown chunk that a decoder has to know', withChunks(png, chunkOf('CgBI', Buffer.alloc(4)))],
  ['a PNG with a gamma of a megabyte', withChunks(png, chunkOf('gAMA', Buffer.alloc(1_000_000)))],
  ['a JPEG with a second beginning', withSegment(jpeg, 0xd8, 'SECRET')],
  ['a GIF of no picture but its head', gif.subarray(0, 13)],
  ['a WebP of a size below its head', Buffer.concat([text('RIFF\x01\0\0\0WEBP'), webp.subarray(12)])],
])('%s is refused', (_what, bytes) => {
  expect(() => strip(bytes)).toThrow(notAnImage)
})

test('of a GIF repetitions and times with more blocks than they have, and what is no profile, are cut', () => {
  const loop = '\x01\0\0'
  let bytes = withExtension(gif, 0xff, 'NETSCAPE2.0', loop, 'SECRET')
  bytes = withExtension(bytes, 0xff, 'ANIMEXTS1.0', 'SECRET')
  bytes = withExtension(bytes, 0xf9, '\0\0\0\0', 'SECRET')
  bytes = withExtension(bytes, 0xf9, 'SECRET')
  bytes = withExtension(bytes, 0xff, 'ICCRGBG1012', 'SECRET')
  bytes = withExtension(bytes, 0xff, 'ICCRGBG1012', ...profileBlocks, 'SECRET')
  expect(strip(bytes).equals(gif)).toBe(true)
})

test('of a GIF a profile stays', () => {
  const bytes = withExtension(gif, 0xff, 'ICCRGBG1012', ...profileBlocks)
  expect(strip(bytes).equals(bytes)).toBe(true)
})

test('of a WebP chunks that its header does not announce, and second ones, are cut', async () => {
  const alpha = await sharp(png).ensureAlpha(0.5).webp().toBuffer()
  for (const [bytes, types] of [
    [webp, ['VP8 ', 'VP8L', 'ALPH', 'ANMF', 'ANIM', 'ICCP', 'VP8X']],
    [p3Webp, ['ICCP', 'VP8L', 'VP8 ', 'ALPH', 'ANMF']],
    [alpha, ['ALPH', 'VP8 ', 'ICCP', 'ANMF']],
    [movingWebp, ['ANIM', 'ALPH', 'VP8 ', 'VP8L', 'ICCP']],
  ] as const)
    for (const type of types) expect(strip(withWebpChunk(bytes, type, 'SECRET')).equals(bytes), type).toBe(true)
})

test('of a PNG second chunks, and a palette of a picture without one, are cut', () => {
  const palette = chunkOf('PLTE', text('SECRET'))
  expect(strip(withChunks(png, palette)).equals(png)).toBe(true)
  const gamma = chunkOf('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]))
  const once = withChunks(png, gamma)
  expect(strip(withChunks(png, gamma, chunkOf('gAMA', text('SECR')))).equals(once)).toBe(true)
})

test('of a JPEG a number of lines is cut', () => {
  expect(strip(withSegment(jpeg, 0xdc, 'SECRET')).equals(jpeg)).toBe(true)
})

test('a file of a million parts is read without a list of them', () => {
  const comment = Buffer.from([0x21, 0xfe, 1, 65, 0])
  const comments = Buffer.concat(Array(1_000_000).fill(comment))
  expect(strip(Buffer.concat([gif.subarray(0, -1), comments, text(';')])).equals(gif)).toBe(true)
})

test('the frames of an animated PNG are counted, and refused where they contradict their announcement', () => {
  expect([pngFrames(png), pngFrames(apng)]).toEqual([1, 10])
  for (const wrong of [{ announced: 9 }, { announced: 11 }, { frameWidth: 49 }, { frameWidth: 0 }])
    expect(() => pngFrames(animatedPng(48, 32, wrong))).toThrow(notAnImage)
})

test('a photo of a camera keeps its picture and profile alone', async () => {
  const photo = await cameraJpeg(64, 48)
  const stripped = strip(photo)
  const { exif, icc, xmp } = await sharp(stripped).metadata()
  expect({ exif, xmp, icc }).toEqual({ exif: undefined, xmp: undefined, icc: (await sharp(photo).metadata()).icc })
  expect(await pixelsOf(stripped)).toEqual(await pixelsOf(photo))
  expect(stripped.includes('SECRET')).toBe(false)
})
