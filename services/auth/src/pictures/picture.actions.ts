import { tooMany } from '@nifty/service-kit/base/errors'
import type { Log } from '@nifty/service-kit/base/logs'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { Kysely, Transaction } from 'kysely'
import { lockOwnAccount } from '../accounts/account.actions.ts'
import type { AccountChanges, Database } from '../db.ts'
import { consumeQuota } from '../quotas/quota.store.ts'
import type { PictureFiles } from './picture.files.ts'
import { deletePictureFile, findOrphanedFiles, insertPictureFile } from './picture.store.ts'
import type { EncodedPicture, PictureKind } from './picture.ts'

export type Pictures = ReturnType<typeof createPictures>

/** Decodes an upload and encodes it for pages. Throws 400 `not_an_image` or `image_too_big`. */
type Encode = (accountId: string, bytes: Buffer) => Promise<EncodedPicture>

type Options = {
  db: Kysely<Database>
  log: Log
  kind: PictureKind
  files: PictureFiles
  encode: Encode
  /** Changes the account; publishes it where other services keep a copy of the picture's name. */
  save: (trx: Transaction<Database>, id: string, changes: AccountChanges) => Promise<unknown>
  perHour: number
}

/** Pictures of accounts. */
export function createPictures({ db, log, kind, files, encode, save, perHour }: Options) {
  async function remove(name: string) {
    await files.remove(name)
    await deletePictureFile(db, kind, name)
  }

  /** Its files, which nobody is shown any more: what cannot be removed now, `removeOrphans` removes later. */
  const discard = (name: string) =>
    remove(name).catch((err) => log.warn({ err, kind }, 'pictures: files were not removed, they are after an hour'))

  /** Shows the picture, or none, and removes the files of the previous one. */
  async function show(userId: string, name: string | null) {
    const previous = await inTransaction(db, async (trx) => {
      const account = await lockOwnAccount(trx, userId)
      if (account[kind] !== name) await save(trx, userId, { [kind]: name })
      return account[kind]
    })
    if (previous) await discard(previous)
  }

  return {
    read: files.read,
    discard,
    close: files.close,

    /** Counts an upload before its bytes are read. */
    allow: (userId: string) =>
      inTransaction(db, async (trx) => {
        await lockOwnAccount(trx, userId)
        const quota = await consumeQuota(trx, userId, { action: kind, perHour })
        if (!quota.allowed) throw tooMany(quota.retryAfterS)
      }),

    /** Encodes and stores a new picture and removes the previous files. Returns the name of the new one. */
    replace: async (userId: string, bytes: Buffer): Promise<string> => {
      const picture = await encode(userId, bytes)
      const name = files.newName()
      await inTransaction(db, (trx) => insertPictureFile(trx, kind, { name, accountId: userId }))
      await files.write(name, picture)
      await show(userId, name)
      return name
    },

    /** Leaves the account without a picture. Does nothing when it has none. */
    clear: (userId: string) => show(userId, null),

    removeDrafts: files.removeDrafts,

    /** Removes files that an interrupted upload left behind. */
    removeOrphans: async () => {
      for (const name of await findOrphanedFiles(db, kind)) await remove(name)
    },
  }
}
