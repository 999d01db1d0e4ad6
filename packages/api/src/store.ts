/** What a shop is called, where several services read it: plain text, and markup in it is shown as typed. */
import { Type } from 'typebox'

/** Letters and signs without a mark: Hangul fillers and the empty Braille pattern. */
const EMPTY = '\\u115F\\u1160\\u3164\\uFFA0\\u2800'
const HIDDEN = `\\p{Cc}\\p{Cf}\\uFFF9-\\uFFFC${EMPTY}`

/** One line that can be seen: no control or formatting characters, no space at either end. */
export const LINE = `^[^\\p{Z}\\p{M}${HIDDEN}]([^\\p{Zl}\\p{Zp}${HIDDEN}]*[^\\p{Z}${HIDDEN}])?$`

/** Of a shop that has none of its own. */
export const DEFAULT_STORE_NAME = 'Nifty'

/** `STORE_NAME`: at most 40 characters. */
export const StoreName = Type.String({ default: DEFAULT_STORE_NAME, maxLength: 40, pattern: LINE })

/** `STORE_TAGLINE`: a sentence, at most 160 characters. */
export const StoreTagline = Type.String({
  default: 'We are a leading store dedicated to connect the top artists with NFT art collectors!',
  maxLength: 160,
  pattern: LINE,
})
