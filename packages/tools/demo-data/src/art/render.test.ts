import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { demoDataset, featuredWorks } from '../dataset.ts'
import { renderAvatar } from './avatar.ts'
import { type FamilyName, families } from './families.ts'
import { drawWork, renderCover, renderWork } from './render.ts'

const names = Object.keys(families) as FamilyName[]
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('images of the demo works', () => {
  test.each(names)('of family %s are the same for the same seed and others for another', async (family) => {
    const first = digest(await renderWork({ family, seed: 5 }))
    expect(digest(await renderWork({ family, seed: 5 }))).toBe(first)
    expect(digest(await renderWork({ family, seed: 6 }))).not.toBe(first)
  })

  test.each(names)(
    'of family %s are JPEGs of about 1200 px, small enough to upload, and more than one colour',
    async (family) => {
      const picture = await renderWork({ family, seed: 3 })
      const { format, width, height, space } = await sharp(picture).metadata()
      expect({ format, space }).toEqual({ format: 'jpeg', space: 'srgb' })
      expect(Math.max(width, height)).toBeGreaterThanOrEqual(1120)
      expect(Math.max(width, height)).toBeLessThanOrEqual(1200)
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(750)
      expect(picture.length).toBeLessThan(1_500_000)
      const { channels } = await sharp(picture).stats()
      expect(Math.max(...channels.map((channel) => channel.stdev))).toBeGreaterThan(15)
    },
  )

  test.each(names)('of family %s can be drawn in large unless it computes pixels', async (family) => {
    const { pixels, disturb } = drawWork({ family, seed: 1 })
    const large = renderWork({ family, seed: 1 }, { large: true })
    if (pixels || disturb) return expect(large).rejects.toThrow('cannot be drawn larger')
    const picture = await large
    const { width, height } = await sharp(picture).metadata()
    expect(Math.max(width, height)).toBe(2400)
    // The same picture: scaled down, it differs from the small one by its grain only.
    const small = sharp(await renderWork({ family, seed: 1 }))
      .resize(60, 60, { fit: 'fill' })
      .raw()
      .toBuffer()
    const [one, other] = [await small, await sharp(picture).resize(60, 60, { fit: 'fill' }).raw().toBuffer()]
    const differences = one.map((value, i) => Math.abs(value - other[i]!))
    expect(differences.reduce((sum, value) => sum + value, 0) / one.length).toBeLessThan(6)
  })

  test('come in several shapes', () => {
    const shapes = names
      .flatMap((family) => [1, 2, 3, 4].map((seed) => drawWork({ family, seed })))
      .map(({ width, height }) => `${width}:${height}`)
    expect(new Set(shapes).size).toBeGreaterThanOrEqual(4)
  })

  test('contain no NaN, undefined or Infinity', () => {
    for (const family of names)
      for (const seed of [1, 7, 12]) {
        const { shapes = '', spray = '' } = drawWork({ family, seed })
        expect(`${shapes}${spray}`).not.toMatch(/NaN|undefined|Infinity/)
      }
  })

  test('include a cover for an artist of each family that can be drawn in large', async () => {
    for (const { family } of featuredWorks(demoDataset().works)) {
      const cover = await renderCover(family)
      const { format, width, height } = await sharp(cover).metadata()
      expect({ format, width, height }, family).toEqual({ format: 'jpeg', width: 2400, height: 800 })
    }
    expect(digest(await renderCover('moto'))).toBe(digest(await renderCover('moto')))
    await expect(renderCover('glitch')).rejects.toThrow('cannot be drawn larger')
  })

  test('include a square avatar of its own for each username', async () => {
    const mark = await renderAvatar('nocturna')
    const { format, width, height } = await sharp(mark).metadata()
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 480, height: 480 })
    expect(digest(await renderAvatar('nocturna'))).toBe(digest(mark))
    expect(digest(await renderAvatar('blockwork'))).not.toBe(digest(mark))
  })
})
