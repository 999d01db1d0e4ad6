import { tooMany } from '@nifty/service-kit/errors'
import { createSemaphore } from '@nifty/service-kit/semaphore'
import { inTransaction } from '@nifty/service-kit/transaction'
import type { Kysely } from 'kysely'
import { changeAccount, lockOwnAccount } from '../accounts/account.actions.ts'
import type { Database } from '../db.ts'
import { consumeQuota } from '../quotas/quota.store.ts'
import type { AvatarFiles } from './avatar.files.ts'
import { renderAvatar } from './avatar.image.ts'
import { deleteAvatarFile, findOrphanedFiles, insertAvatarFile } from './avatar.store.ts'

export type Avatars = ReturnType<typeof createAvatars>

/** Avatars of accounts. At most two images are decoded at once, because decoding takes CPU and memory. */
export function createAvatars({ db, files, perHour }: { db: Kysely<Database>; files: AvatarFiles; perHour: number }) {
  const semaphore = createSemaphore({ concurrency: 2, maxWaiting: 20 })

  async function remove(name: string) {
    await files.remove(name)
    await deleteAvatarFile(db, name)
  }

  return {
    remove,

    /** Counts an upload before its bytes are read. */
    allow: (userId: string) =>
      inTransaction(db, async (trx) => {
        await lockOwnAccount(trx, userId)
        const quota = await consumeQuota(trx, userId, { action: 'avatar', perHour })
        if (!quota.allowed) throw tooMany(quota.retryAfterS)
      }),

    /** Renders and stores a new avatar and removes the previous file. Returns the name of the new file. */
    replace: async (userId: string, bytes: Buffer): Promise<string> => {
      const image = await semaphore(() => renderAvatar(bytes))
      const name = files.newName()
      await inTransaction(db, (trx) => insertAvatarFile(trx, { name, accountId: userId }))
      await files.write(name, image)
      const previous = await inTransaction(db, async (trx) => {
        const { avatar } = await lockOwnAccount(trx, userId)
        await changeAccount(trx, userId, { avatar: name })
        return avatar
      })
      if (previous) await remove(previous)
      return name
    },

    /** Removes files that an interrupted upload left behind. */
    removeOrphans: async () => {
      for (const name of await findOrphanedFiles(db)) await remove(name)
    },
  }
}
