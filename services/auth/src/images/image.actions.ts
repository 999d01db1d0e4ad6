import { tooMany } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { Kysely, Transaction } from 'kysely'
import { lockOwnAccount } from '../accounts/account.actions.ts'
import type { AccountChanges, Database } from '../db.ts'
import { consumeQuota } from '../quotas/quota.store.ts'
import type { ImageFiles } from './image.files.ts'
import { deleteImageFile, findOrphanedFiles, insertImageFile } from './image.store.ts'
import type { EncodedImage, ImageKind } from './image.ts'

export type Images = ReturnType<typeof createImages>

/** Decodes an upload and encodes it for pages. Throws 400 `not_an_image` or `image_too_big`. */
type Encode = (bytes: Buffer) => Promise<EncodedImage>

type Options = {
  db: Kysely<Database>
  kind: ImageKind
  files: ImageFiles
  encode: Encode
  /** Changes the account; publishes it where other services keep a copy of the image's name. */
  save: (trx: Transaction<Database>, id: string, changes: AccountChanges) => Promise<unknown>
  perHour: number
}

/** Images of accounts. */
export function createImages({ db, kind, files, encode, save, perHour }: Options) {
  async function remove(name: string) {
    await files.remove(name)
    await deleteImageFile(db, kind, name)
  }

  /** Shows the image, or none, and removes the files of the previous one. */
  async function show(userId: string, name: string | null) {
    const previous = await inTransaction(db, async (trx) => {
      const account = await lockOwnAccount(trx, userId)
      if (account[kind] !== name) await save(trx, userId, { [kind]: name })
      return account[kind]
    })
    if (previous) await remove(previous)
  }

  return {
    read: files.read,
    remove,

    /** Counts an upload before its bytes are read. */
    allow: (userId: string) =>
      inTransaction(db, async (trx) => {
        await lockOwnAccount(trx, userId)
        const quota = await consumeQuota(trx, userId, { action: kind, perHour })
        if (!quota.allowed) throw tooMany(quota.retryAfterS)
      }),

    /** Encodes and stores a new image and removes the previous files. Returns the name of the new one. */
    replace: async (userId: string, bytes: Buffer): Promise<string> => {
      const image = await encode(bytes)
      const name = files.newName()
      await inTransaction(db, (trx) => insertImageFile(trx, kind, { name, accountId: userId }))
      await files.write(name, image)
      await show(userId, name)
      return name
    },

    /** Leaves the account without an image. Does nothing when it has none. */
    clear: (userId: string) => show(userId, null),

    /** Removes files that an interrupted upload left behind. */
    removeOrphans: async () => {
      for (const name of await findOrphanedFiles(db, kind)) await remove(name)
    },
  }
}
