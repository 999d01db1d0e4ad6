import { expect, test } from 'vitest'
import { isAnimatedPng, pictureNotes, sizeProblem } from './picture-facts.ts'

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const chunk = (type: string, length: number) => [
  ...[24, 16, 8, 0].map((bits) => (length >> bits) & 0xff),
  ...Buffer.from(type),
  ...Array(length + 4).fill(0),
]
const png = (...chunks: number[][]) => new Blob([new Uint8Array([signature, ...chunks].flat())])

test('an animated PNG is told from another by the chunks before its picture', async () => {
  const [header, profile, control, data] = [chunk('IHDR', 13), chunk('iCCP', 3_000), chunk('acTL', 8), chunk('IDAT', 9)]
  expect(await isAnimatedPng(png(header, profile, control, data))).toBe(true)
  expect(await isAnimatedPng(png(header, profile, data))).toBe(false)
  expect(await isAnimatedPng(png(header, data, control))).toBe(false)
  expect(await isAnimatedPng(png(header))).toBe(false)
  expect(await isAnimatedPng(png(...Array(200).fill(header), control))).toBe(false)
  expect(await isAnimatedPng(new Blob(['GIF89a']))).toBe(false)
})

test('a picture is said to be small below 1,000 pixels, and to be enlarged with hard edges up to 400', () => {
  const notes = (width: number, height: number, animatedPng = false) => pictureNotes({ width, height, animatedPng })
  expect(notes(1_000, 20)).toEqual([])
  expect(notes(999, 700)).toEqual([expect.stringContaining('999 × 700 pixels')])
  expect(notes(401, 10)[0]).toContain('at least 1,000')
  expect(notes(400, 400)[0]).toContain('hard edges')
  expect(notes(2_000, 2_000, true)).toEqual([expect.stringContaining('animated PNG')])
})

test('a picture above 25 megapixels is refused before it is sent', () => {
  const facts = (width: number, height: number) => ({ width, height, animatedPng: false })
  expect(sizeProblem(facts(5_000, 5_000))).toBeUndefined()
  expect(sizeProblem(facts(8_064, 6_048))).toContain('48.8 megapixels')
  expect(sizeProblem(facts(5_001, 5_000))).toContain('25.1 megapixels')
})
