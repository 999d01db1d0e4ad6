import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'
import { isForgiven } from '../items/search-text.ts'
import type { Search } from './search.ts'
import { similarWords } from './similar-words.ts'

/** The search with similar words of the catalogue as further spellings; undefined if there are none. */
export async function withSimilarWords(db: Kysely<Database>, { terms }: Search): Promise<Search | undefined> {
  const asked = terms.flat().filter(isForgiven)
  if (asked.length === 0) return undefined
  const { rows } = await sql<{ asked: string; word: string }>`
    select asked, word from unnest(${asked}::text[]) asked
    join search_word on word_variants(word) && word_variants(asked) where word <> asked`.execute(db)
  if (rows.length === 0) return undefined
  const similar = (word: string) =>
    similarWords(
      word,
      rows.filter((row) => row.asked === word).map((row) => row.word),
    )
  return { name: '', terms: terms.map(([word]) => [word!, ...similar(word!)]) }
}
