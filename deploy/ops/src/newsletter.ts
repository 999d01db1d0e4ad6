import { listSubscribers, type Subscriber } from '@nifty/api/notification/ops'
import type { Command } from './command.ts'
import { exported } from './format.ts'

const columns = ['email', 'confirmed_at', 'unsubscribe_url', 'one_click_url']

export const newsletterCommands: Record<string, Command> = {
  'newsletter export': {
    usage: '[json]',
    about:
      'prints the confirmed addresses of the newsletter as CSV for spreadsheets, or as JSON for programs, with the unsubscribe links that its mails must have',
    run: async (store, [format]) => {
      const rows: string[][] = [columns]
      for (let after: string | null | undefined; after !== null; ) {
        const page: { subscribers: Subscriber[]; next: string | null } = await store.notification(listSubscribers, {
          query: { after },
        })
        for (const { email, confirmedAt, unsubscribeUrl, oneClickUrl } of page.subscribers)
          rows.push([email, confirmedAt ?? '', unsubscribeUrl, oneClickUrl])
        after = page.next
      }
      return exported(rows, format)
    },
  },
}
