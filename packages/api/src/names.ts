/** Emoji, also composed ones and keycaps: the selectors and joiners in them are no characters of their own. */
const emoji =
  /\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]*(\u200D\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]*)*|[\d#*]\uFE0F\u20E3/gu

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
  if (invisible.test(name.replace(emoji, ''))) return 'Please leave out invisible and direction-changing characters'
  if (name !== '' && !visible.test(name)) return 'Please enter at least one visible character'
  return undefined
}
