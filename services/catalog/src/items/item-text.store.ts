import { sql, type Transaction } from 'kysely'
import type { Account, Database, Item } from '../db.ts'
import { creatorText, DIVIDER, pictureText, searchText, wordsOf } from './search-text.ts'

type Searched = Pick<Item, 'id' | 'creatorId' | 'name' | 'description' | 'category' | 'color' | 'width' | 'height'>
type Creator = Parameters<typeof searchText>[0]

/** Makes an item and its artist searchable. */
export async function addItemText(trx: Transaction<Database>, item: Searched, creator: Creator) {
  const texts = searchText(creator, item)
  await trx
    .insertInto('itemText')
    .values({ itemId: item.id, pictured: true, ...texts })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await saveArtistText(trx, item.creatorId, texts.creator)
  await addWords(trx, texts.text)
}

/** Makes an artist findable by name. */
export const saveArtistText = (trx: Transaction<Database>, userId: string, text: string) =>
  trx
    .insertInto('artistText')
    .values({ userId, text })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ text }))
    .execute()

/**
 * For texts that change without their item or its artist: cached responses of before are not sent any more. The last
 * statement of a transaction.
 */
export async function endCachedResponses(trx: Transaction<Database>) {
  await sql`call bump_market_generation()`.execute(trx)
}

/** Adds the words of its picture to a text of an earlier version. */
export async function addPictureWords(
  trx: Transaction<Database>,
  item: Pick<Searched, 'id' | 'color' | 'width' | 'height'>,
) {
  const words = pictureText(item)
  await sql`
    update item_text set text = text || ${DIVIDER + words}, pictured = true
    where item_id = ${item.id} and not pictured`.execute(trx)
  await addWords(trx, words)
}

/** The former name of a creator is no longer searchable, nor kept as a word unless another text has it. */
export async function updateCreatorText(trx: Transaction<Database>, before: Account | null, after: Account) {
  const creator = creatorText(after)
  await sql`
    update item_text set creator = ${creator}, text = ${creator} || substr(text, position(chr(31) in text))
    from item where item.id = item_text.item_id and item.creator_id = ${after.userId}`.execute(trx)
  await trx.updateTable('artistText').set({ text: creator }).where('userId', '=', after.userId).execute()
  const former = before ? wordsOf(creatorText(before)) : []
  await sql`
    delete from search_word where word = any(${former}::text[]) and not exists (
      select from item_text
      where search_grams(text) @> array[left(word, 3), right(word, 3)] and position(word in text) > 0
    )`.execute(trx)
  const { rows } = await sql`select from item where creator_id = ${after.userId} limit 1`.execute(trx)
  if (rows.length > 0) await addWords(trx, creator)
}

/** In sorted order, so that two transactions with the same new words do not wait for each other. */
async function addWords(trx: Transaction<Database>, text: string) {
  await sql`
    insert into search_word (word) select unnest(${wordsOf(text)}::text[]) on conflict do nothing`.execute(trx)
}
