import { listSubscribers, type Subscriber } from '@nifty/api/notification/ops'
import { subscriberRows } from '@nifty/api/notification/subscriber-rows'
import type { Command } from './command.ts'
import { exported } from './format.ts'

export const newsletterCommands: Record<string, Command> = {
  'newsletter export': {
    usage: '',
    about:
      'prints the confirmed addresses of the newsletter as CSV, with the unsubscribe links that its mails must have',
    json: true,
    run: async (store) => {
      const all: Subscriber[] = []
      for (let after: string | null | undefined; after !== null; ) {
        const page: { subscribers: Subscriber[]; next: string | null } = await store.notification(listSubscribers, {
          query: { after },
        })
        all.push(...page.subscribers)
        after = page.next
      }
      return exported(subscriberRows(all))
    },
  },
}
