import { tooMany } from '@nifty/service-kit/errors'
import { inTransaction } from '@nifty/service-kit/transaction'
import type { Kysely } from 'kysely'
import { changeAccount, lockOwnAccount } from '../accounts/account.actions.ts'
import type { Database } from '../db.ts'
import { createGate } from '../gate.ts'
import { takeQuota } from '../quotas/quota.store.ts'
import type { AvatarFiles } from './avatar.files.ts'
import { renderAvatar } from './avatar.image.ts'
import { deleteAvatarFile, findForgottenFiles, insertAvatarFile } from './avatar.store.ts'

export type Avatars = ReturnType<typeof createAvatars>

/** Avatars of accounts. Two pictures are worked on at a time: decoding is heavy, and the others wait. */
export function createAvatars({ db, files, perHour }: { db: Kysely<Database>; files: AvatarFiles; perHour: number }) {
  const gate = createGate({ atOnce: 2, queue: 20 })

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
        const quota = await takeQuota(trx, userId, { action: 'avatar', perHour })
        if (!quota.taken) throw tooMany(quota.retryAfterS)
      }),

    /** Shows a new picture and forgets the former one. Returns the file's name. */
    replace: async (userId: string, bytes: Buffer): Promise<string> => {
      const picture = await gate(() => renderAvatar(bytes))
      const name = files.newName()
      await inTransaction(db, (trx) => insertAvatarFile(trx, { name, accountId: userId }))
      await files.write(name, picture)
      const former = await inTransaction(db, async (trx) => {
        const { avatar } = await lockOwnAccount(trx, userId)
        await changeAccount(trx, userId, { avatar: name })
        return avatar
      })
      if (former) await remove(former)
      return name
    },

    /** Removes what a killed process left behind. */
    sweep: async () => {
      for (const name of await findForgottenFiles(db)) await remove(name)
    },
  }
}
