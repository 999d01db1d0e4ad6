import { anyOf } from '@nifty/service-kit/database/database'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'
import { endCachedResponses, saveArtistText } from './item-text.store.ts'
import { creatorText } from './search-text.ts'

const PAGE = 500

/**
 * Returns a function that repairs the names by which one page of artists is found, where they are missing or are not
 * those of the account: during a rolling update the former version renames artists and does not know `artist_text`.
 * True until all artists were compared. Leaves out accounts that another process has locked.
 */
export function createArtistTextRepair(db: Kysely<Database>): () => Promise<boolean> {
  let after: string | undefined

  return async () => {
    const artists = await findArtistTexts(db, after)
    const wrong = artists.filter((artist) => artist.text !== creatorText(artist)).map(({ userId }) => userId)
    if (wrong.length > 0) await repairArtistTexts(db, wrong)
    after = artists.length === PAGE ? artists.at(-1)!.userId : undefined
    return after !== undefined
  }
}

const findArtistTexts = (db: Kysely<Database>, after: string | undefined) =>
  db
    .selectFrom('creator')
    .innerJoin('account', 'account.userId', 'creator.userId')
    .leftJoin('artistText', 'artistText.userId', 'creator.userId')
    .select(['creator.userId', 'username', 'firstName', 'lastName', 'text'])
    .where('works', '>', 0)
    .$if(after !== undefined, (query) => query.where('creator.userId', '>', after!))
    .orderBy('creator.userId')
    .limit(PAGE)
    .execute()

/** The names are read again under the lock of their account, which a change of them takes first. */
const repairArtistTexts = (db: Kysely<Database>, userIds: string[]) =>
  inTransaction(db, async (trx) => {
    const artists = await trx
      .selectFrom('account')
      .select(['userId', 'username', 'firstName', 'lastName'])
      .where('userId', '=', anyOf(userIds))
      .orderBy('userId')
      .forUpdate()
      .skipLocked()
      .execute()
    for (const artist of artists) await saveArtistText(trx, artist.userId, creatorText(artist))
    if (artists.length > 0) await endCachedResponses(trx)
  })
