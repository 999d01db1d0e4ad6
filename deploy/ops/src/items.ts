import { hideItem, showItem } from '@nifty/api/catalog/ops'
import type { Command } from './command.ts'

const item = (endpoint: typeof hideItem | typeof showItem, about: string, done: string): Command => ({
  usage: '<item id>',
  about,
  changes: 'audited',
  run: async (store, args, action) => {
    await store.catalog(endpoint, { params: { id: args[0]! }, body: action })
    return done
  },
})

export const itemCommands: Record<string, Command> = {
  'hide-item': item(hideItem, 'hides a work on all public pages', 'The work is hidden.'),
  'show-item': item(showItem, 'shows a hidden work again', 'The work is visible again.'),
}
