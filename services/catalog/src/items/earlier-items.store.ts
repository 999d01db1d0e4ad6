import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { addItemText, addPictureWords, endCachedResponses } from './item-text.store.ts'
import { colorName, orientationOf } from './picture.ts'

/** Works of one transaction: listings and renames wait for its locks. */
const BATCH = 200

/**
 * Adds what works of an earlier version lack: the words of their pictures, colour and shape, the searched text. One
 * batch; true if there may be more. Leaves out rows that another process has locked.
 */
export async function fillEarlierItems(db: Kysely<Database>): Promise<boolean> {
  for (const fill of [fillPictureWords, fillPictures, fillTexts]) if ((await inTransaction(db, fill)) > 0) return true
  return false
}

async function fillPictureWords(trx: Transaction<Database>) {
  const items = await trx
    .selectFrom('itemText')
    .innerJoin('item', 'item.id', 'itemText.itemId')
    .select(['item.id', 'color', 'width', 'height'])
    .where('pictured', '=', false)
    .orderBy('place')
    .limit(BATCH)
    .forUpdate('itemText')
    .skipLocked()
    .execute()
  for (const item of items) await addPictureWords(trx, item)
  if (items.length > 0) await endCachedResponses(trx)
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
    .skipLocked()
    .execute()
  for (const { id, color, ...size } of items)
    await trx
      .updateTable('item')
      .set({ colorName: colorName(color), orientation: orientationOf(size) })
      .where('id', '=', id)
      .execute()
  return items.length
}

/** The lock on the artists' accounts keeps their names as they are until the texts are stored. */
async function fillTexts(trx: Transaction<Database>) {
  const items = await trx
    .selectFrom('item')
    .leftJoin('itemText', 'itemText.itemId', 'item.id')
    .innerJoin('account', 'account.userId', 'item.creatorId')
    .select(['item.id', 'creatorId', 'item.name', 'item.description', 'category', 'color', 'width', 'height'])
    .select(['username', 'firstName', 'lastName'])
    .where('itemText.itemId', 'is', null)
    .orderBy('item.mintedAt')
    .orderBy('item.id')
    .limit(BATCH)
    .forUpdate(['item', 'account'])
    .skipLocked()
    .execute()
  for (const { username, firstName, lastName, ...item } of items)
    await addItemText(trx, item, { username, firstName, lastName })
  if (items.length > 0) await endCachedResponses(trx)
  return items.length
}
