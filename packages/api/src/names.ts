/** Emoji, also composed ones and keycaps: the selectors and joiners in them are no characters of their own. */
const emoji =
  /\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]*(\u200D\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]*)*|[\d#*]\uFE0F\u20E3/gu

/** Letters that join each other, so that a zero-width non-joiner between two of them is seen. */
const joining = String.raw`[\p{sc=Arab}\p{sc=Syrc}\p{sc=Nkoo}\p{sc=Mand}\p{sc=Mong}\p{sc=Adlm}\p{sc=Rohg}]`
/** Signs that take the vowel off a letter (Canonical_Combining_Class 9). */
const virama =
  '\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D3B\u0D3C\u0D4D\u0DCA\u0F84\u1039\u103A\u1714\u17D2\u1A60\u1B44\u1BAA'

/**
 * What orthography puts after a letter, and a reader sees: joiners where host names may have them (RFC 5892, A.1 and
 * A.2), the variation selectors of Mongolian letters, and those that choose one form of an ideograph.
 */
const orthographic = [
  new RegExp(String.raw`(?<=(?=\p{L})${joining}\p{M}*)\u200C(?=\p{M}*(?=\p{L})${joining})`, 'gu'),
  new RegExp(`(?<=[${virama}])[\\u200C\\u200D]`, 'gu'),
  /(?<=\p{sc=Mong})[\u180B-\u180F]/gu,
  /(?<=\p{sc=Han})[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu,
]

/**
 * Control, bidirectional, zero-width and other invisible characters, line separators, the empty Braille pattern, and
 * anchors.
 */
const invisible = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\uFFF9-\uFFFC]/u

const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * What is wrong with a name of a person or a title, for the person who typed it; undefined when it is fine. Refuses
 * characters that make a name look like another one, and names of nothing but spaces. An empty name is fine.
 */
export function nameProblem(name: string): string | undefined {
  const written = orthographic.reduce((text, allowed) => text.replace(allowed, ''), name.replace(emoji, ''))
  if (invisible.test(written)) return 'Please leave out invisible and direction-changing characters'
  if (name !== '' && !visible.test(name)) return 'Please enter at least one visible character'
  return undefined
}

/** Signs that other sites show beside the names of verified people. */
const checkMarks = /[\u2611\u2705\u2713\u2714\u237B\u{1F5F8}\u{1F5F9}]/u

/** Letters and digits that look like others (UTS 39). */
const lookAlikes: Record<string, string> = { 0: 'o', 1: 'i', l: 'i', '|': 'i', ı: 'i', і: 'i', ι: 'i', у: 'y', γ: 'y' }
Object.assign(lookAlikes, {
  ո: 'n',
  п: 'n',
  η: 'n',
  т: 't',
  τ: 't',
  ν: 'n',
  υ: 'y',
  ϝ: 'f',
  ғ: 'f',
  '!': 'i',
  '¡': 'i',
})
// Small capitals, and letters with a stroke or a hook, which are no composed ones.
Object.assign(lookAlikes, { ɴ: 'n', ɲ: 'n', ŋ: 'n', ƞ: 'n', ɪ: 'i', ɨ: 'i', ɩ: 'i', ꜰ: 'f', ƒ: 'f', ꞙ: 'f' })
Object.assign(lookAlikes, { ᴛ: 't', ŧ: 't', ƭ: 't', ț: 't', ʈ: 't', ʏ: 'y', ƴ: 'y', ɏ: 'y', ү: 'y' })
// Cyrillic and Greek letters that look like Latin ones.
Object.assign(lookAlikes, { а: 'a', α: 'a', в: 'b', с: 'c', ԁ: 'd', е: 'e', ε: 'e', ɡ: 'g', һ: 'h', н: 'h', ј: 'j' })
Object.assign(lookAlikes, { к: 'k', κ: 'k', м: 'm', о: 'o', ο: 'o', р: 'p', ρ: 'p', ѕ: 's', ѵ: 'v', ԝ: 'w', ω: 'w' })
Object.assign(lookAlikes, { х: 'x', χ: 'x' })

/** The letter of a regional indicator: two of a flag stand side by side where no font has the flag. */
const ofFlag = (letter: string) => String.fromCodePoint(letter.codePointAt(0)! - 0x1f1e6 + 0x61)

/** As `nameProblem`, of a person: also refuses check marks and the name of the store. */
export function personNameProblem(name: string, storeName: string): string | undefined {
  if (checkMarks.test(name)) return 'Please leave out check marks'
  if (looksLikeStore(name, storeName)) return 'Please leave out the name of the store'
  return nameProblem(name)
}

/** As `personNameProblem`, of what the store shows: a part may be fine without the other. */
export const fullNameProblem = ({ firstName, lastName }: { firstName: string; lastName: string }, storeName: string) =>
  personNameProblem(`${firstName} ${lastName}`.trim(), storeName)

/** A shorter name of a store may be a part of any other name, as Art is of Bart: only the whole name counts. */
const LEAST_PART = 5

/** True for a name that contains the store's, with letters that look the same, and whatever stands between them. */
export function looksLikeStore(name: string, storeName: string): boolean {
  const [letters, ofStore] = [skeletonOf(name), skeletonOf(storeName)]
  return ofStore.length >= LEAST_PART ? letters.includes(ofStore) : ofStore !== '' && letters === ofStore
}

const skeletonOf = (name: string) =>
  [
    ...name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{RI}/gu, ofFlag)
      .replace(/[^\p{L}\p{N}|!¡]/gu, ''),
  ]
    .map((letter) => lookAlikes[letter] ?? letter)
    .join('')
