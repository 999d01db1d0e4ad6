import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { addArtistText, addItemText, addPictureWords } from './item-text.store.ts'
import { colorName, orientationOf } from './picture.ts'
import { creatorText } from './search-text.ts'

const BATCH = 500

/**
 * Fills what items of an earlier version lack: searched text, colour, shape and their words, the names of artists.
 * Several replicas may run it at once.
 */
export async function backfillItems(db: Kysely<Database>) {
  for (const fill of [fillTexts, fillPictures, fillPictureWords, fillArtists])
    for (let filled = BATCH; filled === BATCH; ) filled = await inTransaction(db, fill)
}

async function fillTexts(trx: Transaction<Database>) {
  const items = await trx
    .selectFrom('item')
    .leftJoin('itemText', 'itemText.itemId', 'item.id')
    .leftJoin('account', 'account.userId', 'item.creatorId')
    .select(['item.id', 'creatorId', 'item.name', 'item.description', 'category', 'color', 'width', 'height'])
    .select(['username', 'firstName', 'lastName'])
    .where('itemText.itemId', 'is', null)
    .orderBy('item.mintedAt')
    .orderBy('item.id')
    .limit(BATCH)
    .execute()
  for (const { username, firstName, lastName, ...item } of items)
    await addItemText(trx, item, { username, firstName: firstName ?? '', lastName: lastName ?? '' })
  return items.length
}

async function fillPictures(trx: Transaction<Database>) {
  const items = await trx
    .selectFrom('item')
    .select(['id', 'color', 'width', 'height'])
    .where((eb) => eb.or([eb('colorName', 'is', null), eb('orientation', 'is', null)]))
    .orderBy('id')
    .limit(BATCH)
    .forUpdate()
    .execute()
  for (const { id, color, ...size } of items)
    await trx
      .updateTable('item')
      .set({ colorName: colorName(color), orientation: orientationOf(size) })
      .where('id', '=', id)
      .execute()
  return items.length
}

async function fillPictureWords(trx: Transaction<Database>) {
  const items = await trx
    .selectFrom('itemText')
    .innerJoin('item', 'item.id', 'itemText.itemId')
    .select(['item.id', 'color', 'width', 'height'])
    .where('pictured', '=', false)
    .orderBy('place')
    .limit(BATCH)
    .execute()
  for (const item of items) await addPictureWords(trx, item)
  return items.length
}

async function fillArtists(trx: Transaction<Database>) {
  const artists = await trx
    .selectFrom('creator')
    .innerJoin('account', 'account.userId', 'creator.userId')
    .leftJoin('artistText', 'artistText.userId', 'creator.userId')
    .select(['account.userId', 'username', 'firstName', 'lastName'])
    .where('works', '>', 0)
    .where('artistText.userId', 'is', null)
    .orderBy('account.userId')
    .limit(BATCH)
    .execute()
  for (const artist of artists) await addArtistText(trx, artist.userId, creatorText(artist))
  return artists.length
}
