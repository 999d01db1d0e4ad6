import type { Account } from '../db.ts'

/** Separates creator and item in `search_text`. `normalise` removes it from user input. */
const DIVIDER = '\u001f'

/** Applied to the searched text and to the search term: lower case, NFC, single spaces. */
export const normalise = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')

export const creatorText = ({ username, firstName, lastName }: Pick<Account, 'username' | 'firstName' | 'lastName'>) =>
  normalise(`${username ?? ''} ${firstName} ${lastName}`)

/** The text that searches match: creator, name, description, category. */
export const searchText = (
  creator: Parameters<typeof creatorText>[0],
  item: { name: string; description: string; category: string },
) => [creatorText(creator), item.name, item.description, item.category].map(normalise).join(DIVIDER)
