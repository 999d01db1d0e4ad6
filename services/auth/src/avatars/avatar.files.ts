import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type AvatarFiles = Awaited<ReturnType<typeof openAvatarFiles>>

/** The folder of avatars. Files are written atomically and never change. */
export async function openAvatarFiles(uploadsDir: string) {
  const folder = join(uploadsDir, 'avatars')
  await mkdir(folder, { recursive: true })
  return {
    newName: () => `${randomBytes(16).toString('hex')}.webp`,
    write: async (name: string, bytes: Buffer) => {
      const unfinished = join(folder, `.${name}.part`)
      await writeFile(unfinished, bytes)
      await rename(unfinished, join(folder, name))
    },
    /** The file, or undefined when there is none of that name. */
    read: async (name: string) => {
      const file = await open(join(folder, name)).catch(() => undefined)
      if (!file) return undefined
      const { size } = await file.stat()
      return { size, stream: file.createReadStream() }
    },
    remove: async (name: string) => {
      await rm(join(folder, name), { force: true })
      await rm(join(folder, `.${name}.part`), { force: true })
    },
  }
}
