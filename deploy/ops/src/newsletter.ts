import { listSubscribers } from '@nifty/api/notification/ops'
import { readSubscribers, subscriberRows } from '@nifty/api/notification/subscribers'
import type { Command } from './command.ts'
import { exported } from './format.ts'

export const newsletterCommands: Record<string, Command> = {
  'newsletter export': {
    usage: '',
    about:
      'prints the confirmed addresses of the newsletter as CSV, with the unsubscribe links that its mails must have',
    json: true,
    run: async (store) => {
      const all = await readSubscribers((after) => store.notification(listSubscribers, { body: { after } }))
      return exported(subscriberRows(all))
    },
  },
}
