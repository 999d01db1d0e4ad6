/**
 * What people see and type to find an order, an account or a work. Without imports of endpoints: for services, the
 * operator's tool and browsers.
 */
import { parseOrderNumber } from './order-number.ts'

export type Lookup =
  | { kind: 'id'; id: string }
  /** As `orderNumber` has it. */
  | { kind: 'order_number'; number: string }
  | { kind: 'email'; email: string }
  /** With its "@". */
  | { kind: 'username'; username: string }
  | { kind: 'wallet'; wallet: string }
  | { kind: 'transaction'; hash: string }
  /** The processor's id of a payment intent or of a session. */
  | { kind: 'payment'; id: string }
  /** The processor's id of a refund, a dispute or a warning. */
  | { kind: 'reversal'; id: string }
  /** `contract/identifier` in lower case, also out of the address of a work's page. */
  | { kind: 'token'; token: string }
  | { kind: 'text'; text: string }

const patterns: [RegExp, (match: string) => Lookup][] = [
  [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, (id) => ({ kind: 'id', id: id.toLowerCase() })],
  [/^0x[0-9a-f]{64}$/i, (hash) => ({ kind: 'transaction', hash: hash.toLowerCase() })],
  [/^0x[0-9a-f]{40}$/i, (wallet) => ({ kind: 'wallet', wallet })],
  [/^(?:pi|cs)_[0-9a-z_]{1,240}$/i, (id) => ({ kind: 'payment', id })],
  [/^(?:re|pyr|du|dp|issfr)_[0-9a-z_]{1,240}$/i, (id) => ({ kind: 'reversal', id })],
  [/^@[^\s@]+$/, (username) => ({ kind: 'username', username })],
]
/** Alone, or after a slash and before the end, a slash, a query or a fragment. */
const token = /(?:^|\/)(0x[0-9a-f]{40}\/\d{1,78})(?=$|[/?#])/i

/** What a text stands for, by its form alone. Spaces around it do not count. */
export function parseLookup(text: string): Lookup {
  const typed = text.trim()
  for (const [pattern, lookup] of patterns) if (pattern.test(typed)) return lookup(typed)
  const number = parseOrderNumber(typed)
  if (number !== null) return { kind: 'order_number', number }
  const [, found] = token.exec(typed) ?? []
  if (found !== undefined) return { kind: 'token', token: found.toLowerCase() }
  if (/^[^\s@]+@[^\s@]+$/.test(typed)) return { kind: 'email', email: typed }
  return { kind: 'text', text: typed }
}
