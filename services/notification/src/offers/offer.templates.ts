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

/** To the buyer, once the card is held. `endsAt`: ISO 8601; null: without a time. */
export const offerHeld = ({
  offer: { work, priceCents },
  endsAt,
  orderNumber,
  orderUrl,
  contactUrl,
}: {
  offer: MailedOffer
  endsAt: string | null
  orderNumber: string
  orderUrl: string
  contactUrl: string
}): EmailContent => ({
  works: [work],
  subject: `Your bank holds ${amount(priceCents)} for your offer for “${work.name}”`,
  paragraphs: [
    `The owner has your offer. Your bank holds ${amount(priceCents)} on your card for it. Nothing is charged now.`,
    `If the owner accepts in time, the work is delivered to you. Only once it has arrived is your card charged, ${amount(priceCents)} and no more. An offer cannot be withdrawn after it was accepted; until then you can withdraw it on the page of the order.`,
    'If the owner declines or does not answer, if you withdraw the offer, or if the work does not arrive, the hold is given back at once; your bank may show it for some days.',
  ],
  facts: [
    ['Work', work.name],
    ['Held, not charged', amount(priceCents)],
    ...(endsAt === null ? [] : [['The owner can accept until', timeText(endsAt)] as [string, string]]),
    ['Order', orderNumber],
  ],
  action: { label: 'See your offer', url: orderUrl },
  help: { label: 'A question about this offer?', url: contactUrl },
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
  on_auction: { subject: hasEnded, reason: 'The work is on auction now, where you can bid.', mayOfferAgain: true },
  bid_not_found: {
    subject: hasEnded,
    reason: 'Your offer was lost, because of a fault in our store. We are sorry.',
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

/** To the buyer. `why`: of the event; one of a newer release has words that fit all. */
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
