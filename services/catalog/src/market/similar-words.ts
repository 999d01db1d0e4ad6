/** From this many letters on, two errors are forgiven. */
const LONG_WORD = 8
const MAX_SIMILAR = 5

/** The candidates that differ from a word by a small typing error, nearest first, at most five. */
export function similarWords(word: string, candidates: string[]): string[] {
  const allowed = word.length < LONG_WORD ? 1 : 2
  return candidates
    .map((candidate) => ({ candidate, errors: typingErrors(word, candidate) }))
    .filter(({ errors }) => errors <= allowed)
    .sort((a, b) => a.errors - b.errors || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, MAX_SIMILAR)
    .map(({ candidate }) => candidate)
}

/** Wrong, missing, additional and transposed letters (optimal string alignment distance). */
function typingErrors(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isTransposed = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const transposed = isTransposed ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, substituted, transposed))
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
