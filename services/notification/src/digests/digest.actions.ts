import { itemPath } from '@nifty/api/pages'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'
import type { Store } from '../mails/email-layout.ts'
import { queueMail } from '../mails/mail.actions.ts'
import { isReachable } from '../recipients/reachable.ts'
import { findRecipient } from '../recipients/recipient.store.ts'
import { unsubscribeUrl } from '../unsubscribe/unsubscribe-token.ts'
import { claimDigest, type Digest, deleteDigest, findListedWorks, releaseDigest } from './digest.store.ts'
import { digestMail } from './digest.templates.ts'

type Deps = { db: Kysely<Database>; auth: ServiceClient; store: Store }

/**
 * Queues the mail about what an artist listed on a day, if the account still wants it and is reachable: one for each
 * account, artist and day. Throws while auth does not respond: it stays due.
 */
export async function queueDigest({ db, auth, store }: Deps) {
  const digest = await claimDigest(db)
  if (!digest) return
  try {
    const address = await addressFor({ db, auth }, digest)
    await db.transaction().execute(async (trx) => {
      await deleteDigest(trx, digest)
      const works = await findListedWorks(trx, digest)
      if (address === undefined || works.length === 0) return
      const listed = works.map((work) => ({
        ...work,
        url: store.publicUrl + itemPath({ ...work, ownerUsername: null }),
      }))
      await queueMail(trx, {
        store,
        template: 'digest',
        subjectId: `${digest.userId}.${digest.artistId}.${digest.day}`,
        recipient: address,
        content: ({ unsubscribe }) => digestMail(listed, unsubscribeUrl(store.publicUrl, unsubscribe)),
        unsubscribe: { list: 'follow', id: digest.userId },
      })
    })
  } catch (error) {
    // If the database is what fails, the claim ends by itself.
    await releaseDigest(db, digest).catch(() => {})
    throw error
  }
}

async function addressFor({ db, auth }: Pick<Deps, 'db' | 'auth'>, { userId }: Digest): Promise<string | undefined> {
  const recipient = await findRecipient(db, userId)
  if (!recipient || recipient.deletedAt !== null || !recipient.wantsFollows) return undefined
  return (await isReachable(auth, userId)) ? recipient.email : undefined
}
