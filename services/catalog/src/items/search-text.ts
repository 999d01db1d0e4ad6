import type { Account } from '../db.ts'

/** Stands between the creator and the work in the text that is searched; nobody can type it. */
export const DIVIDER = '\u001f'
const MAX_GRAMS = 8

/** Both sides of a search: lower case, one form of each letter, one kind of gap. */
export const normalise = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')

export const creatorText = ({ username, firstName, lastName }: Pick<Account, 'username' | 'firstName' | 'lastName'>) =>
  normalise(`${username ?? ''} ${firstName} ${lastName}`)

/** What a search looks through: creator, then name, description and category. */
export const searchText = (
  creator: Parameters<typeof creatorText>[0],
  work: { name: string; description: string; category: string },
) => [creatorText(creator), work.name, work.description, work.category].map(normalise).join(DIVIDER)

/** Parts that the index knows (`search_grams` in SQL) and that every text with this term has. */
export function gramsOf(term: string): string[] {
  const letters = [...term]
  const size = Math.min(3, letters.length)
  const all = [...new Set(letters.slice(size - 1).map((_, at) => letters.slice(at, at + size).join('')))]
  const step = Math.max(1, Math.ceil(all.length / MAX_GRAMS))
  return all.filter((_, at) => at % step === 0)
}
