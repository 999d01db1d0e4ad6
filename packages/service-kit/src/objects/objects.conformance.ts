import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { ListedObject, Objects } from './objects.ts'

/** Reads an object. */
export const contentOf = async (objects: Objects, name: string) => {
  const found = await objects.open(name)
  return found && (await buffer(found.stream))
}

export async function pagesOf(objects: Objects) {
  const pages: ListedObject[][] = []
  for await (const page of objects.list()) pages.push(page)
  return pages
}

export const namesIn = async (objects: Objects) =>
  (await pagesOf(objects))
    .flat()
    .map(({ name }) => name)
    .sort()

/** What every store of objects must do. `open` gives an empty one each time. */
export function testObjects(what: string, open: () => Promise<Objects>) {
  describe(`objects in ${what}`, () => {
    test('an object is read as it was written, and has its size and age', async () => {
      const objects = await open()
      const sizes = [0, 1, 70_000, 3 * 1024 * 1024]
      for (const size of sizes) {
        const name = `part/of-${size}.bin`
        const bytes = Buffer.alloc(size, `content ${size}`)
        await objects.put(name, bytes)
        expect((await contentOf(objects, name))!.equals(bytes)).toBe(true)
        const opened = (await objects.open(name))!
        opened.stream.destroy()
        expect([opened.size, await objects.sizeOf(name)]).toEqual([size, size])
      }
      for (const listed of (await pagesOf(objects)).flat()) {
        expect(listed.isDraft).toBe(false)
        expect(Math.abs((await objects.ageOf(listed))!)).toBeLessThan(60_000)
      }
    })

    test('an object that is not there is undefined, and its removal does nothing', async () => {
      const objects = await open()
      expect([await objects.open('none/a.bin'), await objects.sizeOf('none/a.bin')]).toEqual([undefined, undefined])
      await objects.remove('none/a.bin')
      expect(await namesIn(objects)).toEqual([])
    })

    test('a removed object is gone', async () => {
      const objects = await open()
      await objects.put('a.bin', Buffer.from('a'))
      await objects.put('b.bin', Buffer.from('b'))
      await objects.remove('a.bin')
      expect([await objects.open('a.bin'), await namesIn(objects)]).toEqual([undefined, ['b.bin']])
    })

    test('writers of one name at once leave one whole object', async () => {
      const objects = await open()
      const contents = Array.from({ length: 8 }, (_, count) => Buffer.alloc(200_000, String(count)))
      await Promise.all(contents.map((bytes) => objects.put('same.bin', bytes)))
      const kept = (await contentOf(objects, 'same.bin'))!
      expect(contents.some((bytes) => bytes.equals(kept))).toBe(true)
      expect(await namesIn(objects)).toEqual(['same.bin'])
    })

    test('all objects are listed, in pages of at most 500', async () => {
      const objects = await open()
      const names = Array.from({ length: 620 }, (_, count) => `many/${String(count).padStart(4, '0')}.bin`)
      for (let from = 0; from < names.length; from += 40)
        await Promise.all(names.slice(from, from + 40).map((name) => objects.put(name, Buffer.from('x'))))
      const pages = await pagesOf(objects)
      expect(pages.map((page) => page.length)).toEqual([500, 120])
      expect(await namesIn(objects)).toEqual(names)
    })

    test.each([
      '../a',
      'a/../../b',
      '/etc/passwd',
      'a//b',
      './a',
      '.a',
      'a/.b',
      '',
      'a\0b',
      'a\\b',
      'ü',
      'a/',
      'x'.repeat(501),
    ])('the name %j is refused before anything is read or written', async (name) => {
      const objects = await open()
      await expect(objects.put(name, Buffer.from('x'))).rejects.toThrow('not a name of an object')
      await expect(async () => objects.open(name)).rejects.toThrow('not a name of an object')
      await expect(async () => objects.sizeOf(name)).rejects.toThrow('not a name of an object')
    })
  })
}
