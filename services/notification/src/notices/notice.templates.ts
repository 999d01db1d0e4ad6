import type { NoticeKind } from '@nifty/api/notification/notices'
import { formatPrice } from '@nifty/api/price'
import { toEuros } from '@nifty/api/shapes'
import type { EmailContent } from '../mails/email-layout.ts'

type Notice = {
  name: string
  artist: string | null
  priceCents: number | null
  itemUrl: string
  unsubscribeUrl: string
}

const leave = {
  favourites: 'No more mails about my favourites',
  follows: 'No more mails about new works of artists',
} as const

type Text = { subject: string; text: string; leave: string }

const texts: Record<Exclude<NoticeKind, 'own_sold'>, (notice: Notice) => Text> = {
  cheaper: ({ name }) => ({
    subject: `“${name}” costs less now`,
    text: 'The price of one of your favourites has changed.',
    leave: leave.favourites,
  }),
  sold: ({ name }) => ({
    subject: `“${name}” was sold`,
    text: 'One of your favourites has found a collector. We tell you if it is for sale again.',
    leave: leave.favourites,
  }),
  available: ({ name }) => ({
    subject: `“${name}” is available`,
    text: 'One of your favourites can be bought now.',
    leave: leave.favourites,
  }),
  listed: ({ name, artist }) => ({
    subject: `A new work: “${name}”`,
    text: `${artist ?? 'An artist'}, whom you follow, has put a work on sale.`,
    leave: leave.follows,
  }),
}

/** The mail about a notice. Amounts in cents. */
export function noticeMail(what: Exclude<NoticeKind, 'own_sold'>, notice: Notice): EmailContent {
  const { subject, text, leave: label } = texts[what](notice)
  const { name, artist, priceCents, itemUrl, unsubscribeUrl } = notice
  return {
    subject,
    paragraphs: [text],
    facts: [
      ['Work', name],
      ...(artist ? [['Artist', artist] as [string, string]] : []),
      ...(priceCents === null ? [] : [['Price', formatPrice(toEuros(priceCents))] as [string, string]]),
    ],
    action: { label: 'See the work', url: itemUrl },
    footnote: 'You can also switch these mails off in your settings.',
    unsubscribe: { label, url: unsubscribeUrl },
  }
}
