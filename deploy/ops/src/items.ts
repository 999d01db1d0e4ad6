import { describeItem, type FoundItem, searchItems } from '@nifty/api/catalog/item-search'
import { itemStates } from '@nifty/api/catalog/item-states'
import { featureItems, hideItem, listFeaturedItems, showItem, unfeatureItem } from '@nifty/api/catalog/ops'
import { plural } from '@nifty/api/plural'
import type { Command } from './command.ts'
import { euros, printable, table } from './format.ts'
import { accountIdOf, itemIdOf } from './lookup.ts'
import { UsageError } from './store.ts'

const onItem = (
  endpoint: typeof hideItem | typeof showItem | typeof unfeatureItem,
  about: string,
  done: string,
): Command => ({
  usage: '<work>',
  about,
  changes: 'audited',
  run: async (store, args, action) => {
    await store.catalog(endpoint, { params: { id: await itemIdOf(store, args[0]!) }, body: action })
    return done
  },
})

const featureSet: Command = {
  usage: '<work> [second] [third] [fourth] [fifth] [sixth]',
  about: 'shows these works first on the home page, in this order, in place of those featured before',
  changes: 'audited',
  run: async (store, works, action) => {
    const itemIds: string[] = []
    for (const work of works) itemIds.push(await itemIdOf(store, work))
    await store.catalog(featureItems, { body: { itemIds, ...action } })
    return `${plural(itemIds.length, 'work')} featured.`
  },
}

const featureList: Command = {
  usage: '',
  about: 'prints the featured works in their order',
  json: true,
  run: async (store) => {
    const { items } = await store.catalog(listFeaturedItems)
    const none = 'No work is featured: the home page shows the newest work for sale of each artist.'
    if (items.length === 0) return { text: none, ok: true, json: items }
    const rows = items.map(({ itemId, name, forSale, hidden }) => [
      itemId,
      hidden ? 'hidden' : forSale ? 'for sale' : 'not for sale',
      printable(name),
    ])
    return { text: table([['item', 'state', 'name'], ...rows]), ok: true, json: items }
  },
}

const stateOf = ({ hiddenBy, reservedOrderId, forSale, featured }: FoundItem) =>
  [
    hiddenBy ? `hidden by ${hiddenBy}` : reservedOrderId ? 'reserved' : forSale ? 'for sale' : 'not for sale',
    ...(featured ? ['featured'] : []),
  ].join(', ')

const list: Command = {
  usage: "[part of a name, address of the work's page, or id]",
  about: 'lists works, hidden ones too, newest first, 50 at most; the list names the one to go on after',
  json: true,
  options: {
    '--state <state>': `only those that are ${itemStates.join(', ')}`,
    '--of <account>': 'only those that it owns',
    '--by <account>': 'only those that it made',
    '--after <id>': 'goes on after this work',
  },
  run: async (store, [search], _action, _since, { state, of, by, after } = {}) => {
    const known = itemStates.find((each) => each === state)
    if (state !== undefined && !known) throw new UsageError(`--state is one of ${itemStates.join(', ')}`)
    const found = await store.catalog(searchItems, {
      body: {
        ...(search && { search }),
        ...(known && { state: known }),
        ...(of !== undefined && { ownerId: await accountIdOf(store, String(of)) }),
        ...(by !== undefined && { creatorId: await accountIdOf(store, String(by)) }),
        ...(after !== undefined && { after: String(after) }),
      },
    })
    if (found.items.length === 0) return { text: 'No work.', ok: true, json: found }
    const rows = found.items.map((item) =>
      [
        item.itemId,
        item.name,
        item.creatorUsername ?? '-',
        item.ownerUsername ?? '-',
        item.price === null ? '-' : euros(item.price),
        stateOf(item),
        item.token,
      ].map(printable),
    )
    const more = found.next ? [`More: --after ${found.next}`] : []
    const head = ['id', 'name', 'artist', 'owner', 'price', 'state', 'token']
    return { text: [table([head, ...rows]), ...more].join('\n'), ok: true, json: found }
  },
}

const show: Command = {
  usage: '<work>',
  about: 'prints a work: its owners, its listings, its reservation, and why an operator hides it',
  json: true,
  run: async (store, [work]) => {
    const found = await store.catalog(describeItem, { params: { id: await itemIdOf(store, work!) } })
    const { item, hidden, reservation } = found
    const facts = table([
      ['id', item.itemId],
      ['name', printable(item.name)],
      ['token', item.token],
      ['artist', item.creatorUsername ?? item.creatorId],
      ['owner', item.ownerUsername ?? item.ownerId ?? '-'],
      ['held by', found.wallet ?? 'the store, in custody'],
      ['price', item.price === null ? '-' : euros(item.price)],
      ['state', stateOf(item)],
      ['hidden', hidden ? printable(`by ${hidden.operator} at ${hidden.at}: ${hidden.reason}`) : '-'],
      ['reserved', reservation ? `for order ${reservation.orderId} until ${reservation.until ?? '-'}` : '-'],
    ])
    const history = found.history.map(({ at, what, username, userId, price, txHash, custody }) => [
      at,
      custody ? `${what} (custody: ${custody})` : what,
      username ?? userId ?? '-',
      price === null ? '' : euros(price),
      txHash ?? '',
    ])
    const actions = found.actions.map(({ at, action, operator, reason }) =>
      [at, action, operator, reason].map(printable),
    )
    const text = [facts, table(history), ...(actions.length > 0 ? [table(actions)] : [])].join('\n\n')
    return { text, ok: true, json: found }
  },
}

export const itemCommands: Record<string, Command> = {
  items: list,
  item: show,
  'hide-item': onItem(hideItem, 'hides a work on all public pages', 'The work is hidden.'),
  'show-item': onItem(showItem, 'shows a hidden work again', 'The work is visible again.'),
  'feature set': featureSet,
  'feature list': featureList,
  'feature remove': onItem(unfeatureItem, 'features this work no longer', 'The work is no longer featured.'),
}
