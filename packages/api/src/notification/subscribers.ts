import type { Subscriber } from './ops.ts'

type Page = { subscribers: Subscriber[]; next: string | null }

/** All confirmed addresses. `readPage`: `listSubscribers`. */
export async function readSubscribers(readPage: (after?: string) => Promise<Page>): Promise<Subscriber[]> {
  const subscribers: Subscriber[] = []
  for (let page = await readPage(); ; page = await readPage(page.next)) {
    subscribers.push(...page.subscribers)
    if (page.next === null) return subscribers
  }
}

/** Confirmed addresses of the newsletter for a spreadsheet, under the names of their columns. */
export const subscriberRows = (subscribers: Subscriber[]): string[][] => [
  ['email', 'confirmed_at', 'unsubscribe_url', 'one_click_url'],
  ...subscribers.map(({ email, confirmedAt, unsubscribeUrl, oneClickUrl }) => [
    email,
    confirmedAt ?? '',
    unsubscribeUrl,
    oneClickUrl,
  ]),
]
