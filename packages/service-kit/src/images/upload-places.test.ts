import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CountBytes } from './upload-places.ts'
import { createUploadPlaces } from './upload-places.ts'

const full = { statusCode: 429, code: 'too_many_requests' }

/** Uploads that last until `finish`; `counts` are those whose first byte may be read. */
function startUploads(maxBytes = 100) {
  const withPlace = createUploadPlaces({ maxBytes })
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  const counts: CountBytes[] = []
  const start = (account: string) => {
    const upload = withPlace(account, async (countBytes) => {
      counts.push(countBytes)
      await promise
    })
    upload.catch(() => {})
    return upload
  }
  return { start, withPlace, counts, finish }
}

test('of one account two uploads are read at once and four wait; of others some are read meanwhile', async () => {
  const { start, counts, finish } = startUploads()
  const ofOne = Array.from({ length: 7 }, () => start('ada'))
  await nextTick()
  expect(counts).toHaveLength(2)
  await expect(ofOne[6]).rejects.toMatchObject(full)
  start('grace')
  await nextTick()
  expect(counts).toHaveLength(3)
  finish()
  await Promise.all(ofOne.slice(0, 6))
})

test('sixteen uploads are read at once, and no byte of those that wait', async () => {
  const { start, counts, finish } = startUploads()
  const all = Array.from({ length: 20 }, (_, index) => start(`account ${index}`))
  await nextTick()
  expect(counts).toHaveLength(16)
  finish()
  await Promise.all(all)
})

test('bytes in memory are bounded, and those of uploads that have ended are free again', async () => {
  const { start, withPlace, counts, finish } = startUploads(100)
  const all = ['a', 'b', 'c', 'd', 'e'].map(start)
  await nextTick()
  for (const count of counts.slice(0, 4)) count(100)
  expect(() => counts[4]!(1)).toThrow(expect.objectContaining(full))
  finish()
  await Promise.all(all)

  const after = ['f', 'g', 'h', 'i'].map((account) => withPlace(account, async (count) => count(100)))
  await Promise.all(after)
})

test('the uploads of one account have the bytes of one file in memory, until they end', async () => {
  const { start, withPlace, counts, finish } = startUploads(100)
  const ofOne = [start('ada'), start('ada')]
  await nextTick()
  counts[0]!(60)
  counts[1]!(40)
  for (const count of counts) expect(() => count(1)).toThrow(expect.objectContaining(full))
  for (const account of ['grace', 'joan', 'mary']) await withPlace(account, async (count) => count(100))
  finish()
  await Promise.all(ofOne)

  await withPlace('ada', async (count) => count(100))
})
