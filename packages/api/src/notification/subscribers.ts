import type { Subscriber } from './ops.ts'

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
