import type { NoticeKind } from '@nifty/api/notification/notices'
import { formatPrice } from '@nifty/api/price'
import { toEuros } from '@nifty/api/shapes'
import type { EmailContent } from '../mails/email-layout.ts'
import { timeText } from '../mails/time-text.ts'

type Notice = {
  name: string
  artist: string | null
  priceCents: number | null
  /** Of an auction; null: the first bid starts the clock. */
  endsAt: Date | null
  itemUrl: string
  unsubscribeUrl: string
}

/** News about favourites. The others have mails of their own. */
const mailedKinds = ['cheaper', 'sold', 'available', 'auction_began', 'auction_ends'] as const satisfies NoticeKind[]
export type MailedKind = (typeof mailedKinds)[number]
export const isMailedKind = (what: NoticeKind): what is MailedKind =>
  (mailedKinds as readonly NoticeKind[]).includes(what)

type Texts = {
  subject: string
  text: string
  /** Name of the price. */
  price?: string
  facts?: [string, string][]
}

const texts: Record<MailedKind, (notice: Notice) => Texts> = {
  cheaper: ({ name }) => ({
    subject: `“${name}” costs less now`,
    text: 'The price of one of your favourites has changed.',
  }),
  sold: ({ name }) => ({
    subject: `“${name}” was sold`,
    text: 'One of your favourites has found a collector. We tell you if it is for sale again.',
  }),
  available: ({ name }) => ({
    subject: `“${name}” is available`,
    text: 'One of your favourites can be bought now.',
  }),
  auction_began: ({ name, endsAt }) => ({
    subject: `The auction of “${name}” has begun`,
    text: endsAt
      ? 'You can bid for one of your favourites now.'
      : 'You can bid for one of your favourites now. The first bid starts the clock.',
    price: 'Opening price',
    facts: endsOf(endsAt),
  }),
  auction_ends: ({ name, endsAt }) => ({
    subject: `The auction of “${name}” ends soon`,
    text: 'The auction of one of your favourites ends at the time below, unless a late bid moves it on.',
    price: 'Price now',
    facts: endsOf(endsAt),
  }),
}

const endsOf = (endsAt: Date | null): [string, string][] =>
  endsAt ? [['The auction ends', timeText(endsAt.toISOString())]] : []

/** The mail about a notice. Amounts in cents. */
export function noticeMail(what: MailedKind, notice: Notice): EmailContent {
  const { subject, text, price = 'Price', facts = [] } = texts[what](notice)
  const { name, artist, priceCents, itemUrl, unsubscribeUrl } = notice
  return {
    subject,
    paragraphs: [text],
    facts: [
      ['Work', name],
      ...(artist ? [['Artist', artist] as [string, string]] : []),
      ...(priceCents === null ? [] : [[price, formatPrice(toEuros(priceCents))] as [string, string]]),
      ...facts,
    ],
    action: { label: 'See the work', url: itemUrl },
    footnote: 'You can also switch these mails off in your settings.',
    unsubscribe: { label: 'No more mails about my favourites', url: unsubscribeUrl },
  }
}
