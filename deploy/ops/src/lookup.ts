import { type FoundAccount, searchAccounts } from '@nifty/api/auth/account-search'
import { fullNameOf } from '@nifty/api/auth/full-name'
import { readUsernames } from '@nifty/api/auth/usernames'
import { type FoundItem, searchItems } from '@nifty/api/catalog/item-search'
import { parseLookup } from '@nifty/api/lookup'
import { orderSearchOf } from '@nifty/api/payments/order-lookup'
import { type FoundOrder, searchOrders } from '@nifty/api/payments/order-search'
import { euros, printable } from './format.ts'
import { type Store, UsageError } from './store.ts'

/** Commands take what people see, and services ids: these find the one thing that a text stands for. */

/**
 * The order of an id, a number, a payment or a transaction. Throws for none, for several, and for another text.
 */
export async function orderOf(store: Store, text: string): Promise<FoundOrder> {
  const lookup = parseLookup(text)
  // A work may have several orders.
  const search = lookup.kind === 'token' ? null : orderSearchOf(lookup)
  if (!search) throw new UsageError(`${text} is no number of an order, no payment, no transaction and no id`)
  const { orders } = await store.payments(searchOrders, { body: search })
  return onlyOne(orders, {
    none: `No order has ${text}`,
    several: `Several orders have ${text}`,
    line: ({ _id, createdAt, total, state }) => `${_id}  ${createdAt}  ${euros(total)}  ${state}`,
  })
}

/** An id is not verified: the service that gets it responds 404. */
export async function orderIdOf(store: Store, text: string): Promise<string> {
  const lookup = parseLookup(text)
  return lookup.kind === 'id' ? lookup.id : (await orderOf(store, text))._id
}

/**
 * The line of an order of one line, of a transaction, or of its own id, which is not verified. Throws as `orderOf`, and
 * for an order of several lines.
 */
export async function lineIdOf(store: Store, text: string): Promise<string> {
  const lookup = parseLookup(text)
  if (lookup.kind === 'id') {
    const { orders } = await store.payments(searchOrders, { body: { order: lookup.id } })
    if (orders.length === 0) return lookup.id
  }
  const { lines } = await orderOf(store, text)
  const delivered = lookup.kind === 'transaction' ? lines.filter(({ txHash }) => txHash === lookup.hash) : lines
  const line = onlyOne(delivered, {
    none: `No line has ${text}`,
    several: `The order has several lines, name one`,
    line: ({ _id, name, price, state }) => `${_id}  ${printable(name)}  ${euros(price)}  ${state}`,
  })
  return line._id
}

/**
 * The account of an id, an e-mail address, a user name with its "@", a wallet, or a part of a name that no other
 * account has. Throws for none and for several.
 */
export async function accountOf(store: Store, text: string): Promise<FoundAccount> {
  const { accounts } = await store.auth(searchAccounts, { body: { search: text } })
  return onlyOne(accounts, {
    none: `No account has ${text}`,
    several: `Several accounts have ${text}`,
    line: ({ userId, username, email, ...names }) =>
      printable(`${userId}  ${username}  ${fullNameOf(names)}  ${email}`),
  })
}

/** The id of an account. An id is not verified: a deleted account has orders and payouts, too. */
export async function accountIdOf(store: Store, text: string): Promise<string> {
  const lookup = parseLookup(text)
  return lookup.kind === 'id' ? lookup.id : (await accountOf(store, text)).userId
}

/** The work of an id, of its page's address, or of a part of a name that no other work has. Throws as `accountOf`. */
export async function itemOf(store: Store, text: string): Promise<FoundItem> {
  const { items } = await store.catalog(searchItems, { body: { search: text } })
  return onlyOne(items, {
    none: `No work has ${text}`,
    several: `Several works have ${text}`,
    line: ({ itemId, name, creatorUsername, token }) =>
      printable(`${itemId}  ${name}  ${creatorUsername ?? ''}  ${token}`),
  })
}

/** An id is not verified: the service that gets it responds 404. */
export async function itemIdOf(store: Store, text: string): Promise<string> {
  const lookup = parseLookup(text)
  return lookup.kind === 'id' ? lookup.id : (await itemOf(store, text)).itemId
}

const LISTED = 10

function onlyOne<Found>(
  found: Found[],
  { none, several, line }: { none: string; several: string; line: (one: Found) => string },
): Found {
  const [only] = found
  if (only === undefined) throw new UsageError(`${none}.`)
  if (found.length === 1) return only
  const more = found.length > LISTED ? ['…'] : []
  throw new UsageError([`${several}:`, ...found.slice(0, LISTED).map(line), ...more].join('\n'))
}

/** Names of accounts by their ids; those of deleted accounts are missing. */
export const usernamesOf = (store: Store, ids: (string | null)[]): Promise<Map<string, string>> =>
  readUsernames((some) => store.auth(searchAccounts, { body: { ids: some } }), ids)
