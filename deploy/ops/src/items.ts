import type { Command } from './command.ts'

const item = (verb: 'hide' | 'show', about: string, done: string): Command => ({
  usage: '<item id>',
  about,
  changes: 'signed',
  run: async (store, args, { who, why }) => {
    await store.catalog('POST', `/internal/items/${encodeURIComponent(args[0]!)}/${verb}`, { by: who, why })
    return done
  },
})

export const itemCommands: Record<string, Command> = {
  'hide-item': item('hide', 'takes a work off every page', 'The work is hidden.'),
  'show-item': item('show', 'puts it back', 'The work is shown again.'),
}
