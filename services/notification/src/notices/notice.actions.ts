import type { NoticeKind } from '@nifty/api/notification/notices'
import { itemPath } from '@nifty/api/pages'
import type { auctionNews, itemNews } from '@nifty/events/catalog'
import type { orderLineCompleted, orderLineWrittenOff } from '@nifty/events/payments'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { Kysely, Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import { saveDigests } from '../digests/digest.store.ts'
import type { Store } from '../mails/email-layout.ts'
import { queueMail } from '../mails/mail.actions.ts'
import { isReachable } from '../recipients/reachable.ts'
import { findRecipient } from '../recipients/recipient.store.ts'
import { unsubscribeUrl } from '../unsubscribe/unsubscribe-token.ts'
import {
  claimMailDue,
  clearMailDue,
  type NewNotice,
  releaseMailDue,
  type StoredNotice,
  saveNotices,
} from './notice.store.ts'
import { isMailedKind, type MailedKind, noticeMail } from './notice.templates.ts'

type Trx = Transaction<Database>
type MailedNotice = StoredNotice & { what: MailedKind }

export async function saveItemNews(trx: Trx, { userIds, ...news }: Static<typeof itemNews.data>) {
  const { what, itemId, artistId = null, at } = news
  await saveNotices(trx, userIds, { ...news, artistId, endsAt: null })
  if (what === 'listed') await saveDigests(trx, userIds, { artistId: artistId ?? itemId, at })
}

/** Auctions of favourites, and for former bidders one that is open again. */
export async function saveAuctionNews(trx: Trx, { what, userIds, ...news }: Static<typeof auctionNews.data>) {
  await saveNotices(trx, userIds, { ...news, what: `auction_${what}`, artistId: null })
}

type OwnNotice = Pick<NewNotice, 'itemId' | 'contract' | 'identifier' | 'name' | 'priceCents' | 'at'>

/** A notice about an own work, offer or bid. Its artist is not part of it. */
export async function saveOwnNotice(
  trx: Trx,
  userId: string,
  { what, itemId, contract, identifier, name, priceCents, at }: OwnNotice & { what: NoticeKind },
) {
  const work = { itemId, contract, identifier, name, artist: null, artistId: null }
  await saveNotices(trx, [userId], { what, ...work, priceCents, endsAt: null, at })
}

/** The notice of a sale for its seller. */
export async function saveOwnSale(
  trx: Trx,
  sale: Static<typeof orderLineCompleted.data> | Static<typeof orderLineWrittenOff.data>,
) {
  const [contract, identifier] = sale.token.split('/') as [string, string]
  await saveOwnNotice(trx, sale.sellerId, { ...sale, what: 'own_sold', contract, identifier })
}

type Deps = { db: Kysely<Database>; auth: ServiceClient; store: Store }

/**
 * Queues the mail of one notice, if the account still wants it and is reachable, and its auction is not over. At most
 * one mail per account, kind, item and UTC day. Throws while auth does not respond: the notice stays due. Returns true
 * if there may be more.
 */
export async function queueNoticeMail({ db, auth, store }: Deps): Promise<boolean> {
  const notice = await claimMailDue(db)
  if (!notice) return false
  try {
    const address = isMailed(notice) && !isOver(notice) ? await addressFor(db, auth, notice) : undefined
    await db.transaction().execute(async (trx) => {
      if (isMailed(notice) && address !== undefined) await queueMailOf(trx, notice, { address, store })
      await clearMailDue(trx, notice)
    })
  } catch (error) {
    // If the database is what fails, the claim ends by itself.
    await releaseMailDue(db, notice.id).catch(() => {})
    throw error
  }
  return true
}

function queueMailOf(trx: Trx, notice: MailedNotice, { address, store }: { address: string; store: Store }) {
  const { userId, what, itemId, contract, identifier, at } = notice
  return queueMail(trx, {
    store,
    template: `notice-${what}`,
    subjectId: `${userId}.${itemId}.${at.toISOString().slice(0, 10)}`,
    recipient: address,
    content: ({ unsubscribe }) =>
      noticeMail(what, {
        ...notice,
        itemUrl: store.publicUrl + itemPath({ ownerUsername: null, contract, identifier }),
        unsubscribeUrl: unsubscribeUrl(store.publicUrl, unsubscribe),
      }),
    unsubscribe: { list: 'salePromotion', id: userId },
  })
}

const isMailed = (notice: StoredNotice): notice is MailedNotice => isMailedKind(notice.what)

/** Of an auction: its end has passed while the mail waited. */
const isOver = ({ endsAt }: StoredNotice) => endsAt !== null && endsAt.getTime() <= Date.now()

async function addressFor(
  db: Kysely<Database>,
  auth: ServiceClient,
  { userId }: MailedNotice,
): Promise<string | undefined> {
  const recipient = await findRecipient(db, userId)
  if (!recipient || recipient.deletedAt !== null || !recipient.wantsFavourites) return undefined
  return (await isReachable(auth, userId)) ? recipient.email : undefined
}
