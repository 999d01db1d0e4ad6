import { withLineFeeds } from './line-breaks.ts'

/** In Unicode code points: an emoji of several people counts several times. */
export const MAX_GIFT_TEXT = 300

/** For how long the link in the mail about a gift can be used. */
export const GIFT_DAYS = 90

/**
 * What mail programs turn into a link: a scheme, `www.`, or a name with a top-level domain. The text goes to an address
 * that the giver chooses, so a link in it would make the store a sender of advertisements. The ideographic full stop
 * separates labels of a host as well (UTS 46), but between sentences that have no spaces it is none.
 */
const LINK = /:\/\/|\bwww[.\u3002]|[\p{L}\p{N}]\.\p{L}{2,}|[\p{sc=Latin}\p{N}]\u3002\p{sc=Latin}{2,}/iu

/** As a mail program may read it: in NFKC, and without invisible characters. */
const asRead = (text: string) => text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')

/** Control characters other than line breaks, and those that reverse the direction of the text around them. */
const UNPRINTABLE = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u

/** What is wrong with the text of a gift, as a sentence for its giver; null when nothing is. */
export function giftTextProblem(text: string): string | null {
  const typed = readGiftText(text)
  if (characters(typed) > MAX_GIFT_TEXT) return `The text can have at most ${MAX_GIFT_TEXT} characters`
  if (LINK.test(asRead(typed))) return 'The text cannot have links. Please put a space after each full stop.'
  return UNPRINTABLE.test(typed) ? 'The text has characters that cannot be shown' : null
}

/** The text as it is stored and mailed: line feeds for line breaks, composed characters, no space around it. */
export const readGiftText = (text: string): string => withLineFeeds(text).normalize('NFC').trim()

const characters = (text: string) => [...text].length
