import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EncodedPicture, fileName } from './picture.ts'

export type PictureFiles = Awaited<ReturnType<typeof openPictureFiles>>

export type PictureFile = NonNullable<Awaited<ReturnType<PictureFiles['read']>>>

/** A folder of pictures, each with one file for every suffix. Files are written atomically and never change. */
export async function openPictureFiles(folder: string, suffixes: readonly string[]) {
  await mkdir(folder, { recursive: true })

  async function write(name: string, bytes: Buffer) {
    const unfinished = join(folder, `.${name}.part`)
    await writeFile(unfinished, bytes)
    await rename(unfinished, join(folder, name))
  }

  return {
    newName: () => `${randomBytes(16).toString('hex')}.webp`,
    write: async (name: string, picture: EncodedPicture) => {
      for (const [suffix, bytes] of Object.entries(picture)) await write(fileName(name, suffix), bytes)
    },
    /** The file, or undefined when there is none of that name. */
    read: async (file: string) => {
      const found = await open(join(folder, file)).catch(() => undefined)
      if (!found) return undefined
      const { size } = await found.stat()
      return { size, stream: found.createReadStream() }
    },
    remove: async (name: string) => {
      for (const suffix of suffixes) {
        const file = fileName(name, suffix)
        await rm(join(folder, file), { force: true })
        await rm(join(folder, `.${file}.part`), { force: true })
      }
    },
  }
}
