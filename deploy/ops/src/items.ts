import { hideItem, showItem } from '@nifty/api/catalog/ops'
import type { Command } from './command.ts'

const item = (endpoint: typeof hideItem | typeof showItem, about: string, done: string): Command => ({
  usage: '<item id>',
  about,
  changes: 'signed',
  run: async (store, args, { operator, reason }) => {
    await store.catalog(endpoint, { params: { id: args[0]! }, body: { operator, reason } })
    return done
  },
})

export const itemCommands: Record<string, Command> = {
  'hide-item': item(hideItem, 'takes a work off every page', 'The work is hidden.'),
  'show-item': item(showItem, 'puts it back', 'The work is shown again.'),
}
