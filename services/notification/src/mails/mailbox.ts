import { parseEmail } from '@nifty/api/email-address'

/** A name, which may be empty, and an address. */
export type Mailbox = { name: string; address: string }

/** Reads `Name <name@example.com>` or an address alone; undefined for another text. The name needs no quotes. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, name = '', inBrackets] = /^\s*"?([^"<>\r\n]*?)"?\s*<([^<>]+)>\s*$/.exec(text) ?? []
  const address = parseEmail(inBrackets ?? text)
  return address === null ? undefined : { name, address }
}
