import { randomBytes } from 'node:crypto'
import type { Objects } from '@nifty/service-kit/objects/objects'
import { type EncodedPicture, fileName } from './picture.ts'

export type PictureFiles = ReturnType<typeof createPictureFiles>

/** What a killed process left behind is removed then, in ms. */
const DRAFT_AGE_MS = 86_400_000

/** Pictures, each with one file for every suffix. */
export function createPictureFiles(objects: Objects, suffixes: readonly string[]) {
  return {
    newName: () => `${randomBytes(16).toString('hex')}.webp`,
    write: async (name: string, picture: EncodedPicture) => {
      for (const [suffix, bytes] of Object.entries(picture)) await objects.put(fileName(name, suffix), bytes)
    },
    /** The file, or undefined when there is none of that name. */
    read: objects.open,
    remove: async (name: string) => {
      for (const suffix of suffixes) await objects.remove(fileName(name, suffix))
    },
    removeDrafts: async () => {
      for await (const page of objects.list())
        for (const listed of page)
          if (listed.isDraft && ((await objects.ageOf(listed)) ?? 0) > DRAFT_AGE_MS) await objects.remove(listed.name)
    },
    close: objects.close,
  }
}
