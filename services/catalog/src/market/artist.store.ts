import { type Kysely, sql } from 'kysely'
import { findAccountByUsername } from '../accounts/account.store.ts'
import type { Database } from '../db.ts'
import { rarestGramsOf, readSearch } from './search.ts'

/** So many artists of one name are found, those with the most works. */
const MAX_ARTISTS = 50

/**
 * The ids of the artists with this username; without one, and without an "@", of all who have these words in their
 * names, in any order and without accents. `artist` in lower case.
 */
export async function findArtists(db: Kysely<Database>, artist: string): Promise<string[]> {
  const account = await findAccountByUsername(db, artist.startsWith('@') ? artist : `@${artist}`)
  if (account) return [account.userId]
  const words = readSearch(artist)?.terms.flat() ?? []
  if (artist.startsWith('@') || words.length === 0) return []
  const matches = words.map(
    (word) => sql`search_grams(text) @> ${rarestGramsOf(word, [])}::text[] and position(${word} in text) > 0`,
  )
  const { rows } = await sql<{ userId: string }>`
    select user_id from artist_text join creator using (user_id) where ${sql.join(matches, sql` and `)}
    order by works desc, user_id limit ${MAX_ARTISTS}`.execute(db)
  return rows.map(({ userId }) => userId)
}
