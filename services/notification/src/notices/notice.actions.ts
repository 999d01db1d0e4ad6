import { itemPath } from '@nifty/api/pages'
import type { itemNews } from '@nifty/events/catalog'
import type { orderLineCompleted, orderLineWrittenOff } from '@nifty/events/payments'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { Kysely, Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import { queueMail } from '../mails/mail.actions.ts'
import { isReachable } from '../recipients/reachable.ts'
import { findRecipient } from '../recipients/recipient.store.ts'
import { unsubscribeUrl } from '../unsubscribe/unsubscribe-token.ts'
import { clearMailDue, lockMailDue, type StoredNotice, saveNotices } from './notice.store.ts'
import { noticeMail } from './notice.templates.ts'

type Trx = Transaction<Database>
type MailedNotice = StoredNotice & { what: Exclude<StoredNotice['what'], 'own_sold'> }

export const saveItemNews = (trx: Trx, { userIds, ...notice }: Static<typeof itemNews.data>) =>
  saveNotices(trx, userIds, notice)

/** The notice of a sale for its seller. */
export async function saveOwnSale(
  trx: Trx,
  sale: Static<typeof orderLineCompleted.data> | Static<typeof orderLineWrittenOff.data>,
) {
  const { itemId, name, priceCents, at, token, sellerId } = sale
  const [contract, identifier] = token.split('/') as [string, string]
  await saveNotices(trx, [sellerId], {
    what: 'own_sold',
    itemId,
    contract,
    identifier,
    name,
    artist: null,
    priceCents,
    at,
  })
}

/**
 * Queues the mail of one notice, if the account still wants it and is reachable. At most one mail per account, kind,
 * item and UTC day. Throws while auth does not respond: the notice stays due. Returns true if there may be more.
 */
export const queueNoticeMail = ({
  db,
  auth,
  publicUrl,
}: {
  db: Kysely<Database>
  auth: ServiceClient
  publicUrl: string
}): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const notice = await lockMailDue(trx)
    if (!notice) return false
    const address = isMailed(notice) ? await addressFor(trx, auth, notice) : undefined
    if (isMailed(notice) && address !== undefined) {
      const { userId, what, itemId, contract, identifier, at } = notice
      await queueMail(trx, {
        template: `notice-${what}`,
        subjectId: `${userId}.${itemId}.${at.toISOString().slice(0, 10)}`,
        recipient: address,
        content: noticeMail(what, {
          ...notice,
          itemUrl: publicUrl + itemPath({ ownerUsername: null, contract, identifier }),
          unsubscribeUrl: unsubscribeUrl(publicUrl),
        }),
        unsubscribe: { list: what === 'listed' ? 'follow' : 'salePromotion', id: userId },
      })
    }
    await clearMailDue(trx, notice.id)
    return true
  })

const isMailed = (notice: StoredNotice): notice is MailedNotice => notice.what !== 'own_sold'

async function addressFor(trx: Trx, auth: ServiceClient, { userId, what }: MailedNotice): Promise<string | undefined> {
  const recipient = await findRecipient(trx, userId)
  const wanted = what === 'listed' ? recipient?.wantsFollows : recipient?.wantsFavourites
  if (!recipient || recipient.deletedAt !== null || !wanted) return undefined
  return (await isReachable(auth, userId)) ? recipient.email : undefined
}
