import { formatPrice } from '@nifty/api/price'
import { toEuros } from '@nifty/api/shapes'
import type { EmailContent, MailedWork } from '../mails/email-layout.ts'
import { timeText } from '../mails/time-text.ts'

/** What the mails about an offer have in common. Amounts in cents. */
export type MailedOffer = { work: MailedWork; priceCents: number }

const amount = (cents: number) => formatPrice(toEuros(cents))

/** To the owner of the work. `endsAt`: ISO 8601. */
export const offerReceived = ({
  offer: { work, priceCents },
  endsAt,
  studioUrl,
  unsubscribeUrl,
}: {
  offer: MailedOffer
  endsAt: string
  studioUrl: string
  unsubscribeUrl: string
}): EmailContent => ({
  works: [work],
  subject: `An offer of ${amount(priceCents)} for “${work.name}”`,
  paragraphs: [
    `A collector offers ${amount(priceCents)} for “${work.name}”. Their bank holds the money already: if you accept, the work is delivered to them, and once it has arrived their card is charged.`,
    'You can accept or decline it until the time below. If you do neither, it ends by itself.',
  ],
  facts: [
    ['Work', work.name],
    ['Offered', amount(priceCents)],
    ['Open until', timeText(endsAt)],
  ],
  action: { label: 'See the offer in your studio', url: studioUrl },
  footnote: 'You can also switch these mails off in your settings, under account notifications.',
  unsubscribe: { label: 'No more mails about my sales', url: unsubscribeUrl },
})

type Ending = {
  subject: (work: string) => string
  reason: string
  /** The buyer can make another offer for the work. */
  mayOfferAgain: boolean
}

const hasEnded = (work: string) => `Your offer for ${work} has ended`

const endings: Record<string, Ending> = {
  declined: {
    subject: (work) => `Your offer for ${work} was declined`,
    reason: 'The owner declined your offer.',
    mayOfferAgain: true,
  },
  expired: {
    subject: (work) => `Your offer for ${work} has expired`,
    reason: 'The owner did not accept your offer in time.',
    mayOfferAgain: true,
  },
  withdrawn: {
    subject: (work) => `You withdrew your offer for ${work}`,
    reason: 'You withdrew your offer.',
    mayOfferAgain: true,
  },
  sold: { subject: hasEnded, reason: 'The work was sold.', mayOfferAgain: false },
  moved: {
    subject: hasEnded,
    reason: 'The work has left the owner to whom you made your offer.',
    mayOfferAgain: false,
  },
  hidden: { subject: hasEnded, reason: 'The work is no longer shown in our store.', mayOfferAgain: false },
  account: {
    subject: hasEnded,
    reason: 'Your account, or that of the owner, cannot trade in our store at the moment.',
    mayOfferAgain: false,
  },
  undeliverable: { subject: hasEnded, reason: 'The work cannot be delivered at the moment.', mayOfferAgain: false },
  undecided: {
    subject: hasEnded,
    reason: 'It was not decided by its end, because of a fault in our store.',
    mayOfferAgain: true,
  },
  operator: {
    subject: hasEnded,
    reason: 'We ended your offer. If you do not know why, write to us.',
    mayOfferAgain: false,
  },
  dispute: { subject: hasEnded, reason: 'The bank of the card questioned this payment.', mayOfferAgain: false },
  hold_too_short: {
    subject: hasEnded,
    reason:
      'Your bank does not hold the amount for as long as the owner may take to answer. An offer for fewer days, or with another card, may work.',
    mayOfferAgain: true,
  },
  hold_lost: {
    subject: (work) => `Your bank ended the hold for your offer for ${work}`,
    reason:
      'Your bank ended the hold on your card before the owner had decided, and without it the offer cannot stay open. You can make it again, also with another card.',
    mayOfferAgain: true,
  },
}

const otherEnding: Ending = { subject: hasEnded, reason: 'Your offer could not stay open.', mayOfferAgain: false }

/** To the buyer. `why`: of `catalog.bid-ended.v1`; one of a newer release has words that fit all. */
export function offerEnded({
  offer: { work, priceCents },
  why,
  orderNumber,
  exploreUrl,
  contactUrl,
}: {
  offer: MailedOffer
  why: string
  orderNumber: string
  exploreUrl: string
  contactUrl: string
}): EmailContent {
  const { subject, reason, mayOfferAgain } = Object.hasOwn(endings, why) ? endings[why]! : otherEnding
  return {
    works: [work],
    subject: subject(`“${work.name}”`),
    paragraphs: [
      reason,
      `Nothing was charged. The hold of ${amount(priceCents)} on your card is ${why === 'hold_lost' ? 'over' : 'given back'}; your bank may show it for some days.`,
    ],
    facts: [
      ['Work', work.name],
      ['Not charged', amount(priceCents)],
      ['Order', orderNumber],
    ],
    action: mayOfferAgain
      ? { label: 'Back to the work', url: work.url }
      : { label: 'Look at other works', url: exploreUrl },
    help: { label: 'A question about this offer?', url: contactUrl },
  }
}
