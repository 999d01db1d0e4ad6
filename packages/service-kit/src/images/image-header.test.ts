import sharp from 'sharp'
import { expect, test } from 'vitest'
import { imageFormatOf } from './image-format.ts'
import { assertImageSize, readImageHeader } from './image-header.ts'

const image = sharp({ create: { width: 30, height: 20, channels: 3, background: '#cc3355' } })

test.each(['png', 'jpeg', 'gif', 'webp'] as const)(
  '%s is recognised by its magic bytes, and its size is read',
  async (format) => {
    const bytes = await image.clone().toFormat(format).toBuffer()
    expect(imageFormatOf(bytes)).toBe(format)
    expect(await readImageHeader(bytes)).toEqual({ width: 30, height: 20, frames: 1 })
  },
)

test.each([
  ['TIFF', await image.clone().tiff().toBuffer()],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a script with the magic bytes of a GIF', Buffer.from('GIF89a/*…*/=alert(1);')],
  ['an empty file', Buffer.alloc(0)],
])('%s is not an image', async (_what, bytes) => {
  await expect(readImageHeader(bytes)).rejects.toMatchObject({ statusCode: 400, code: 'not_an_image' })
})

test('the size of an animation is that of one frame', async () => {
  const [width, height, frames] = [4, 3, 5]
  const raw = Buffer.from(Array.from({ length: width * height * frames * 3 }, (_, at) => (at * 37) % 256))
  const bytes = await sharp(raw, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
    .gif()
    .toBuffer()
  expect(await readImageHeader(bytes)).toEqual({ width, height, frames })
})

test.each([
  ['25 megapixels', { width: 5000, height: 5000, frames: 1 }, true],
  ['more than 25 megapixels', { width: 5001, height: 5000, frames: 1 }, false],
  ['200 frames', { width: 10, height: 10, frames: 200 }, true],
  ['201 frames', { width: 10, height: 10, frames: 201 }, false],
  ['100 megapixels in all frames together', { width: 1000, height: 1000, frames: 100 }, true],
  ['more than 100 megapixels in all frames together', { width: 1000, height: 1000, frames: 101 }, false],
])('%s: %o', (_what, size, isAllowed) => {
  const check = () => assertImageSize(size)
  if (isAllowed) check()
  else expect(check).toThrow(expect.objectContaining({ code: 'image_too_big' }))
})
