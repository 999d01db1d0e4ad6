import { itemNews } from '@nifty/events/catalog'
import { MAX_NEWS_ACCOUNTS } from '@nifty/events/shapes'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { advanceItemNews, deleteItemNews, lockItemNews, nextConcerned } from './item-news.store.ts'
import { isStillTrue } from './item-news.ts'

/**
 * Publishes the next portion of the oldest news, in one transaction. News that is no longer true is dropped. Returns
 * true if that news has a further portion.
 */
export const publishItemNews = (db: Kysely<Database>): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const news = await lockItemNews(trx)
    if (!news) return false
    const item = await readItem(trx, news.itemId)
    const userIds = isStillTrue(news, item) ? await nextConcerned(trx, news, MAX_NEWS_ACCOUNTS) : []
    if (userIds.length > 0)
      await publishEvent(trx, itemNews, {
        itemId: item.id,
        contract: item.contract,
        identifier: item.identifier,
        name: item.name,
        artist: nameOf(item),
        artistId: item.creatorId,
        what: news.what,
        priceCents: news.what === 'sold' ? null : item.priceCents,
        userIds,
        at: news.at.toISOString(),
      })
    const hasMore = userIds.length === MAX_NEWS_ACCOUNTS
    await (hasMore ? advanceItemNews(trx, news.id, userIds.at(-1)!) : deleteItemNews(trx, news.id))
    return hasMore
  })

const readItem = (trx: Transaction<Database>, id: string) =>
  trx
    .selectFrom('item')
    .leftJoin('account', 'account.userId', 'item.creatorId')
    .select(['item.id', 'contract', 'identifier', 'name', 'priceCents', 'forSale', 'hiddenAt', 'reservedOrder'])
    .select('item.creatorId')
    .select(['username', 'firstName', 'lastName'])
    .where('item.id', '=', id)
    .executeTakeFirstOrThrow()

type Artist = { username: string | null; firstName: string | null; lastName: string | null }

/** The name that news have of an artist; null if the account is deleted. */
export const nameOf = ({ username, firstName, lastName }: Artist) =>
  username === null ? null : `${firstName ?? ''} ${lastName ?? ''}`.trim() || username
