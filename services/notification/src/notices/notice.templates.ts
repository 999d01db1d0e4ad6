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

/** News about favourites. The others have mails of their own. */
const mailedKinds = ['cheaper', 'sold', 'available'] as const satisfies NoticeKind[]
export type MailedKind = (typeof mailedKinds)[number]
export const isMailedKind = (what: NoticeKind): what is MailedKind =>
  (mailedKinds as readonly NoticeKind[]).includes(what)

const texts: Record<MailedKind, (notice: Notice) => { subject: string; text: string }> = {
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
}

/** The mail about a notice. Amounts in cents. */
export function noticeMail(what: MailedKind, notice: Notice): EmailContent {
  const { subject, text } = texts[what](notice)
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
    unsubscribe: { label: 'No more mails about my favourites', url: unsubscribeUrl },
  }
}
