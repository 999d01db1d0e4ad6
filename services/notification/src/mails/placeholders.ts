import { randomUUID } from 'node:crypto'

/** Words that stand for the tokens of a mail until it is sent. */
export type Placeholders = { token: string; unsubscribe: string }

const placeholdersOf = (id: string): Placeholders => ({
  token: `token-${id}`,
  unsubscribe: `unsubscribe-${id}`,
})

/** Of mails of the former release. */
const formerPlaceholders: Placeholders = { token: 'TOKEN-OF-THIS-LINK', unsubscribe: 'TOKEN-TO-UNSUBSCRIBE' }

const wordsOf = (id: string | null) => (id === null ? formerPlaceholders : placeholdersOf(id))

/**
 * Placeholders that occur in no text that others wrote; `id` is stored with the mail. Those of the former release,
 * whose processes may send the mail during an update, unless a text has one of them. `render` returns all texts of the
 * mail.
 */
export function choosePlaceholders(render: (placeholders: Placeholders) => string) {
  const id = randomUUID()
  const others = render(placeholdersOf(id))
  const isTaken = Object.values(formerPlaceholders).some((word) => others.includes(word))
  return { id: isTaken ? id : null, placeholders: wordsOf(isTaken ? id : null) }
}

/** Replaces the placeholders of a mail by its tokens; an absent token leaves its word as it is. */
export function fillPlaceholders(
  text: string,
  { id, tokens }: { id: string | null; tokens: { [Name in keyof Placeholders]: string | null } },
): string {
  const { token, unsubscribe } = wordsOf(id)
  const words = new Map([
    [token, tokens.token],
    [unsubscribe, tokens.unsubscribe],
  ])
  return text.replaceAll(new RegExp(`${token}|${unsubscribe}`, 'g'), (word) => words.get(word) ?? word)
}
