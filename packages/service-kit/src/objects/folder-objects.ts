import { randomUUID } from 'node:crypto'
import { mkdir, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { assertSafeName, isSafeName, LISTED_AT_ONCE, type ListedObject, type Objects } from './objects.ts'

/** What `put` adds to a name while it writes, and what former releases wrote. */
const draftName = /(\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|^\.[^/]+\.part)$/

/** Objects as files of a folder, which is made where it is missing. Throws when it cannot be made. */
export async function openFolder(folder: string): Promise<Objects> {
  await mkdir(folder, { recursive: true })
  const pathOf = (name: string) => {
    assertSafeName(name)
    return join(folder, name)
  }

  async function* filesIn(part: string): AsyncGenerator<string, void> {
    for await (const entry of await opendir(join(folder, part))) {
      const name = part ? `${part}/${entry.name}` : entry.name
      if (entry.isDirectory()) yield* filesIn(name)
      else yield name
    }
  }

  return {
    async put(name, bytes) {
      const path = pathOf(name)
      const draft = `${path}.${randomUUID()}`
      await mkdir(dirname(path), { recursive: true })
      try {
        await writeFile(draft, bytes)
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {})
        throw error
      }
    },
    async open(name) {
      const file = await open(pathOf(name)).catch(unlessMissing)
      if (!file) return undefined
      const { size } = await file.stat()
      return { size, stream: file.createReadStream() }
    },
    sizeOf: async (name) => (await stat(pathOf(name)).catch(unlessMissing))?.size,
    readable: async (name) => pathOf(name),
    async *list() {
      let page: ListedObject[] = []
      for await (const name of filesIn('')) {
        const isDraft = draftName.test(name.slice(name.lastIndexOf('/') + 1))
        if (!isDraft && !isSafeName(name)) continue
        page.push({ name, isDraft })
        if (page.length < LISTED_AT_ONCE) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    },
    async ageOf({ name }) {
      const found = await stat(join(folder, name)).catch(unlessMissing)
      return found && Date.now() - found.mtimeMs
    },
    async remove(name) {
      assertSafeName(name.replace(/(^|\/)\.(?=[^/.][^/]*\.part$)/, '$1'))
      await rm(join(folder, name), { force: true })
    },
    close: () => {},
  }
}

function unlessMissing(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
  return undefined
}
