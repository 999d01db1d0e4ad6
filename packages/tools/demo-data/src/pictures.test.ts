import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { demoDataset, featuredWorks } from './dataset.ts'
import { pictureFolder } from './pictures.ts'

const { works, creators, collectors } = demoDataset()
const featured = featuredWorks(works)
const committed = globSync('**/*.*', { cwd: pictureFolder })
const sizeOf = (name: string) => sharp(join(pictureFolder, name)).metadata()

test('there is a picture of every work, an avatar of everybody and a cover of each featured artist, and none unused', () => {
  const used = [
    ...works.map(({ picture }) => `works/${picture}.webp`),
    ...[...creators, ...collectors].map(({ username }) => `avatars/${username}.webp`),
    ...featured.map(({ creator }) => `covers/${creator}.webp`),
  ]
  expect(committed.toSorted()).toEqual(used.toSorted())
})

test('the pictures are 12 MB at most, and no two are the same', () => {
  const bytes = committed.map((name) => statSync(join(pictureFolder, name)).size)
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(12_000_000)
  const digests = committed.map((name) =>
    createHash('sha256')
      .update(readFileSync(join(pictureFolder, name)))
      .digest('hex'),
  )
  expect(new Set(digests).size).toBe(committed.length)
})

test('works are WebPs of 1,000 px on the long side, the featured ones of 2,400 px', async () => {
  for (const work of works) {
    const { format, width, height } = await sizeOf(`works/${work.picture}.webp`)
    const long = featured.includes(work) ? 2_400 : 1_000
    expect({ format, long: Math.max(width, height) }, work.picture).toEqual({ format: 'webp', long })
    expect(Math.min(width, height) / long, work.picture).toBeGreaterThan(0.6)
  }
})

test('avatars are squares, and covers three times as wide as high', async () => {
  for (const { username } of [...creators, ...collectors])
    expect(await sizeOf(`avatars/${username}.webp`), username).toMatchObject({
      format: 'webp',
      width: 480,
      height: 480,
    })
  for (const { creator } of featured)
    expect(await sizeOf(`covers/${creator}.webp`), creator).toMatchObject({ format: 'webp', width: 2_400, height: 800 })
})
