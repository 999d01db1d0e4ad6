import { featureItems, hideItem, listFeaturedItems, showItem, unfeatureItem } from '@nifty/api/catalog/ops'
import type { Command } from './command.ts'
import { plural, table } from './format.ts'

const item = (
  endpoint: typeof hideItem | typeof showItem | typeof unfeatureItem,
  about: string,
  done: string,
): Command => ({
  usage: '<item id>',
  about,
  changes: 'audited',
  run: async (store, args, action) => {
    await store.catalog(endpoint, { params: { id: args[0]! }, body: action })
    return done
  },
})

const featureSet: Command = {
  usage: '<item id> [second id] [third id] [fourth id] [fifth id] [sixth id]',
  about: 'shows these works first on the home page, in this order, in place of those featured before',
  changes: 'audited',
  run: async (store, itemIds, action) => {
    await store.catalog(featureItems, { body: { itemIds, ...action } })
    return `${plural(itemIds.length, 'work')} featured.`
  },
}

const featureList: Command = {
  usage: '',
  about: 'prints the featured works in their order',
  run: async (store) => {
    const { items } = await store.catalog(listFeaturedItems)
    if (items.length === 0) return 'No work is featured: the home page shows the newest work for sale of each artist.'
    const rows = items.map(({ itemId, name, forSale, hidden }) => [
      itemId,
      hidden ? 'hidden' : forSale ? 'for sale' : 'not for sale',
      name.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' '),
    ])
    return table([['item', 'state', 'name'], ...rows])
  },
}

export const itemCommands: Record<string, Command> = {
  'hide-item': item(hideItem, 'hides a work on all public pages', 'The work is hidden.'),
  'show-item': item(showItem, 'shows a hidden work again', 'The work is visible again.'),
  'feature set': featureSet,
  'feature list': featureList,
  'feature remove': item(unfeatureItem, 'features this work no longer', 'The work is no longer featured.'),
}
