import type { Account } from '../db.ts'
import { categoryWords } from './category-words.ts'
import { colorName, orientationOf, pictureWords } from './picture.ts'

/** Separates the parts of `item_text.text`. `normalise` and `fold` remove it from user input. */
export const DIVIDER = '\u001f'

/** Lower case, NFC, single spaces. */
export const normalise = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')

/** Letters that do not decompose into a base letter and an accent. */
const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ø: 'o',
  ł: 'l',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
}
const undecomposed = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu')

/**
 * Applied to the searched text and to the search. Accents and apostrophes are dropped, other punctuation becomes a
 * space; symbols, emoji and the "@" of usernames stay.
 */
export const fold = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’‘ʼ′`´]/gu, '')
    .replaceAll(undecomposed, (letter) => plainLetters[letter]!)
    .replaceAll(/[^\p{L}\p{N}\p{S}@]+/gu, ' ')
    .trim()

/**
 * What folding loses: the punctuation marks, so that a search for `"_` finds them, and words with punctuation inside
 * written as one, so that "halfmoon" finds "half-moon".
 */
function spellings(text: string): string[] {
  const marks = normalise(text).match(/[^\p{L}\p{N}\s]+/gu) ?? []
  const joined = normalise(text)
    .split(' ')
    .map(fold)
    .filter((word) => word.includes(' '))
    .map((word) => word.replaceAll(' ', ''))
  return [...new Set([...joined, ...marks])]
}

type Creator = Pick<Account, 'username' | 'firstName' | 'lastName'>
type Picture = { color: string; width: number; height: number }
type Described = Picture & { name: string; description: string; category: string }
export type SearchText = { creator: string; name: string; text: string }

export const creatorText = ({ username, firstName, lastName }: Creator) => {
  const written = `${username ?? ''} ${firstName} ${lastName}`
  const joined = spellings(username ?? '').filter((word) => /^@?[\p{L}\p{N}]+$/u.test(word))
  return [fold(written), ...joined].join(' ').trim()
}

/** The words of a picture's dominant colour and of its shape. */
export const pictureText = ({ color, ...size }: Picture) =>
  pictureWords({ colorName: colorName(color), orientation: orientationOf(size) }).join(' ')

/** The text that searches match: creator, name, description, category, colour and shape. */
export function searchText(creator: Creator, { name, description, category, ...picture }: Described): SearchText {
  const texts = { creator: creatorText(creator), name: fold(name) }
  const others = [
    fold(description),
    ...categoryWords(category).map(fold),
    spellings(`${name} ${description}`).join(' '),
    pictureText(picture),
  ]
  return { ...texts, text: [texts.creator, texts.name, ...others].join(DIVIDER) }
}

const WORD_LETTERS = { min: 4, max: 24 }

/** The distinct words of a text that are long enough to forgive a typing error in them; sorted. */
export function wordsOf(text: string): string[] {
  const words = text.split(/[^\p{L}]+/u).filter((word) => isForgiven(word))
  return [...new Set(words)].sort()
}

/** Whether one wrong letter still leaves the word recognisable. */
export function isForgiven(word: string): boolean {
  const letters = [...word].length
  return letters >= WORD_LETTERS.min && letters <= WORD_LETTERS.max && /^\p{L}+$/u.test(word)
}
