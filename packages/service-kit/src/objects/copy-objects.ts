import { buffer } from 'node:stream/consumers'
import { createSemaphore } from '../base/semaphore.ts'
import type { Objects } from './objects.ts'

const AT_ONCE = 16

/** `found`: in the source; `bytes` of those that were copied; `different`: of the same size and another content. */
export type Copied = { found: number; copied: number; bytes: number; different: string[] }

/**
 * Copies what the target lacks, or has with another size, and verifies each copy. Can be killed and run again, and runs
 * beside writers: one that is removed meanwhile is removed from the target too. `contents`: also compares the bytes of
 * those that are there.
 */
export async function copyObjects(
  from: Objects,
  to: Objects,
  { contents = false, onProgress }: { contents?: boolean; onProgress: (copied: Copied) => void },
): Promise<Copied> {
  const result: Copied = { found: 0, copied: 0, bytes: 0, different: [] }
  const inTurn = createSemaphore({ concurrency: AT_ONCE })
  const read = async (objects: Objects, name: string) => {
    const opened = await objects.open(name)
    return opened && (await buffer(opened.stream))
  }

  async function copyOne(name: string) {
    const size = await from.sizeOf(name)
    if (size === undefined) return
    result.found++
    if ((await to.sizeOf(name)) === size) {
      if (contents && !(await isSame(name))) result.different.push(name)
      return
    }
    const bytes = await read(from, name)
    if (bytes) {
      await to.put(name, bytes)
      if ((await to.sizeOf(name)) !== bytes.length) throw new Error(`${name} has another size after it was copied`)
      result.copied++
      result.bytes += bytes.length
    }
    if ((await from.sizeOf(name)) === undefined) await to.remove(name)
  }

  async function isSame(name: string) {
    const [source, target] = await Promise.all([read(from, name), read(to, name)])
    return !source || (target !== undefined && source.equals(target))
  }

  for await (const page of from.list()) {
    const names = page.filter(({ isDraft }) => !isDraft).map(({ name }) => name)
    await Promise.all(names.map((name) => inTurn(() => copyOne(name))))
    onProgress(result)
  }
  return result
}
