import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RenderedAvatar } from './avatar.image.ts'
import { smallAvatar } from './avatar.ts'

export type AvatarFiles = Awaited<ReturnType<typeof openAvatarFiles>>

/** The folder of avatars. Files are written atomically and never change. */
export async function openAvatarFiles(uploadsDir: string) {
  const folder = join(uploadsDir, 'avatars')
  await mkdir(folder, { recursive: true })

  async function write(name: string, bytes: Buffer) {
    const unfinished = join(folder, `.${name}.part`)
    await writeFile(unfinished, bytes)
    await rename(unfinished, join(folder, name))
  }

  return {
    newName: () => `${randomBytes(16).toString('hex')}.webp`,
    write: async (name: string, { large, small }: RenderedAvatar) => {
      await write(smallAvatar(name), small)
      await write(name, large)
    },
    /** The file, or undefined when there is none of that name. An avatar of an older release has no small one: the large one. */
    read: async (name: string) => {
      const file = await open(join(folder, name))
        .catch(() => open(join(folder, name.replace('-s', ''))))
        .catch(() => undefined)
      if (!file) return undefined
      const { size } = await file.stat()
      return { size, stream: file.createReadStream() }
    },
    remove: async (name: string) => {
      for (const file of [name, smallAvatar(name)]) {
        await rm(join(folder, file), { force: true })
        await rm(join(folder, `.${file}.part`), { force: true })
      }
    },
  }
}
