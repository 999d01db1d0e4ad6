import { fold, normalise } from '../items/search-text.ts'

/** Further words of a search do not narrow it down: the longest ones count. */
const MAX_WORDS = 8
const MAX_GRAMS = 3

/**
 * A search as terms that a text must all contain, in any order; each term is a list of spellings of which one is
 * enough. `name` is the whole search, folded: an item of this name comes first.
 */
export type Search = { name: string; terms: string[][] }

/**
 * The terms of a search text; undefined for one that is empty. Words are folded as the texts are, and a word that is
 * part of another one is implied. A search of punctuation marks alone is matched as it is.
 */
export function readSearch(text: string): Search | undefined {
  const written = normalise(text).trim()
  if (written === '') return undefined
  const folded = written.split(' ').map(fold).filter(Boolean)
  const words = [...new Set(folded.length > 0 ? folded : written.split(' '))]
  const needed = words.filter((word) => !words.some((other) => other !== word && other.includes(word)))
  const longest = needed.sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, MAX_WORDS)
  return { name: fold(written), terms: longest.map((word) => [word]) }
}

/**
 * A few trigrams of a word (for shorter words: the word), as `search_grams` in SQL indexes them. Every text that
 * contains the word has all of them. Those that the fewest of `texts` contain: a gram costs as much as the index has
 * entries of it.
 */
export function rarestGramsOf(word: string, texts: string[]): string[] {
  const letters = [...word]
  const size = Math.min(3, letters.length)
  const all = [...new Set(letters.slice(size - 1).map((_, at) => letters.slice(at, at + size).join('')))]
  const found = new Map(all.map((gram) => [gram, texts.filter((text) => text.includes(gram)).length]))
  return all.sort((a, b) => found.get(a)! - found.get(b)!).slice(0, MAX_GRAMS)
}
