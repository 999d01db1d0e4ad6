import { expect, test } from 'vitest'
import { animatedGif, animatedPng, animatedWebp, chunkOf } from '../testing/image-files.ts'
import { makeMaster } from './image.encode.ts'
import { pngFrames } from './metadata/png.ts'

const notAnImage = expect.objectContaining({ statusCode: 400, code: 'not_an_image' })

/** The GIF with no codes in its last picture. */
async function damagedGif() {
  const gif = await animatedGif()
  const last = gif.lastIndexOf(Buffer.from([0x21, 0xf9, 4]))
  const data = last + 8 + 10 + (gif[last + 8 + 9]! & 0x80 ? 3 * 2 ** ((gif[last + 8 + 9]! & 7) + 1) : 0)
  return Buffer.concat([gif.subarray(0, data + 1), Buffer.from([1, 0xff, 0, 0x3b])])
}

/** The WebP with other codes in its last picture. */
async function damagedWebp() {
  const webp = await animatedWebp()
  const last = webp.lastIndexOf('VP8L')
  return Buffer.from(webp).fill(0xff, last + 13)
}

test.each([
  ['GIF', animatedGif, damagedGif],
  ['WebP', animatedWebp, damagedWebp],
])('a %s whose last frame is damaged is refused', async (_format, whole, damaged) => {
  const upload = { firstWidth: 320 } as const
  expect(await makeMaster(await whole(), upload)).toMatchObject({ motion: 'animated' })
  await expect(makeMaster(await damaged(), upload)).rejects.toEqual(notAnImage)
})

test('frames of an animated PNG that are not in their order are refused', () => {
  const png = animatedPng()
  const at = png.lastIndexOf('fdAT') - 4
  const end = at + 12 + png.readUInt32BE(at)
  const data = Buffer.from(png.subarray(at + 8, end - 4))
  data.writeUInt32BE(data.readUInt32BE(0) + 1)
  const other = Buffer.concat([png.subarray(0, at), chunkOf('fdAT', data), png.subarray(end)])
  expect(pngFrames(png)).toBe(10)
  expect(() => pngFrames(other)).toThrow(notAnImage)
})
