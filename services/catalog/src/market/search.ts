const MAX_GRAMS = 8

/**
 * At most eight of the term's trigrams (for shorter terms: the term), as `search_grams` in SQL indexes them. Every text
 * that contains the term has all of them.
 */
export function gramsOf(term: string): string[] {
  const letters = [...term]
  const size = Math.min(3, letters.length)
  const all = [...new Set(letters.slice(size - 1).map((_, at) => letters.slice(at, at + size).join('')))]
  const step = Math.max(1, Math.ceil(all.length / MAX_GRAMS))
  return all.filter((_, at) => at % step === 0)
}
