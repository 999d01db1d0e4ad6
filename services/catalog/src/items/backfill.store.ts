import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { addItemText } from './item-text.store.ts'
import { colorName, orientationOf } from './picture.ts'

const BATCH = 500

/** Fills what items of an earlier version lack: searched text, colour, shape. Several replicas may run it at once. */
export async function backfillItems(db: Kysely<Database>) {
  for (const fill of [fillTexts, fillPictures])
    for (let filled = BATCH; filled === BATCH; ) filled = await inTransaction(db, fill)
}

async function fillTexts(trx: Transaction<Database>) {
  const items = await trx
    .selectFrom('item')
    .leftJoin('itemText', 'itemText.itemId', 'item.id')
    .leftJoin('account', 'account.userId', 'item.creatorId')
    .select(['item.id', 'item.name', 'item.description', 'item.category', 'username', 'firstName', 'lastName'])
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
