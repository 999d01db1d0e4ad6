import { formatPrice } from '@nifty/api/price'
import { toEuros } from '@nifty/api/shapes'
import type { EmailContent, MailedWork } from '../mails/email-layout.ts'
import { timeText } from '../mails/time-text.ts'

/** What the mails to a bidder have in common. Amounts in cents. */
export type MailedBid = {
  work: MailedWork
  /** The most that the bidder would have paid: what the card held. */
  limitCents: number
  /** That of the auction when the bid ended; null without one, or where it is not known. */
  priceCents: number | null
  orderNumber: string
  /** The contact page with a subject about the order. */
  contactUrl: string
}

const amount = (cents: number) => formatPrice(toEuros(cents))

const LATE_BIDS = 'A bid in the last 15 minutes moves the end to 15 minutes after it.'

type HeldBid = Omit<MailedBid, 'priceCents'> & { endsAt: string | null; orderUrl: string }

/** To a bidder whose card is held, and whose bid leads. `endsAt`: ISO 8601; null: without a time. */
export const bidHeld = ({ endsAt, orderUrl, ...bid }: HeldBid): EmailContent => ({
  works: [bid.work],
  subject: `Your bank holds ${amount(bid.limitCents)} for your bid for “${bid.work.name}”`,
  paragraphs: [
    `Your bid leads. Your bank holds ${amount(bid.limitCents)} on your card, the most that you would pay. Nothing is charged now. A bid that leads cannot be cancelled.`,
    `You pay only if you win: the opening price, or one step above the next bidder, at most ${amount(bid.limitCents)}, and only once the work has arrived. What is left of the hold is given back then.`,
    'If you are outbid, the auction ends without a sale, or the work does not arrive, the whole hold is given back at once; your bank may show it for some days. If you raised a bid of yours, the hold for the former one is given back as well.',
  ],
  facts: [
    ['Work', bid.work.name],
    ['Your maximum, held, not charged', amount(bid.limitCents)],
    ...(endsAt === null
      ? []
      : [['The auction ends', `${timeText(endsAt)}, or later: late bids move it on`] as [string, string]]),
    ['Order', bid.orderNumber],
  ],
  action: { label: 'See your bid', url: orderUrl },
  help: { label: 'A question about this bid?', url: bid.contactUrl },
})

/** To a bidder whose bid leads no more. `endsAt`: ISO 8601; null: the end of the auction is not known. */
export const outbid = ({ endsAt, ...bid }: MailedBid & { endsAt: string | null }): EmailContent => ({
  ...ofBid(bid, endsAt === null ? [] : [['The auction ends', timeText(endsAt)]]),
  subject: `You were outbid for “${bid.work.name}”`,
  paragraphs: [leaderText(bid), givenBack(bid), `You can bid again until the auction ends. ${LATE_BIDS}`],
  action: { label: 'Bid again', url: bid.work.url },
})

/** To those who bid in an auction that ends within an hour. `priceCents`: now. `endsAt`: ISO 8601. */
export const lastHour = ({
  work,
  priceCents,
  endsAt,
  leads,
}: {
  work: MailedWork
  priceCents: number
  endsAt: string
  leads: boolean
}): EmailContent => ({
  works: [work],
  subject: `The last hour to bid for “${work.name}”`,
  paragraphs: [
    leads
      ? 'Your bid leads. There is nothing to do: if it still leads at the end, the work is yours.'
      : 'Your bid does not lead, and nothing is held for it. You can bid again until the auction ends.',
    LATE_BIDS,
  ],
  facts: [
    ['Work', work.name],
    ['Price now', amount(priceCents)],
    ['The auction ends', timeText(endsAt)],
  ],
  action: { label: leads ? 'See the auction' : 'Bid again', url: work.url },
})

/** Of two with the same maximum the earlier one leads, at that price. */
function leaderText({ limitCents, priceCents }: MailedBid): string {
  if (priceCents === null) return 'Another bid leads now.'
  return priceCents > limitCents
    ? `Somebody bids more than your maximum: the price is ${amount(priceCents)} now.`
    : `Somebody had the same maximum before you, and leads: the price is ${amount(priceCents)} now.`
}

type Ending = {
  reason: string
  subject?: (work: string) => string
  /** The auction may go on, and the bidder can bid again. */
  mayBidAgain?: true
}

const hasEnded = (work: string) => `Your bid for ${work} has ended`

const endings: Record<string, Ending> = {
  too_low: {
    reason: 'When your bank had confirmed your bid, others had passed your maximum already.',
    mayBidAgain: true,
  },
  too_late: { reason: 'Your bank confirmed your bid after the auction had closed.' },
  late_by_us: {
    reason:
      'Your bank confirmed your bid in time, but because of a fault in our store it came too late into the auction. We are sorry.',
  },
  hold_too_short: {
    reason:
      'Your bank does not hold the amount for long enough to deliver the work after the auction. Another card may work.',
    mayBidAgain: true,
  },
  hold_lost: {
    subject: (work) => `Your bank ended the hold for your bid for ${work}`,
    reason:
      'Your bank ended the hold on your card, and without it a bid cannot stand. While the auction runs you can bid again, also with another card.',
    mayBidAgain: true,
  },
  withdrawn: { subject: (work) => `You cancelled your bid for ${work}`, reason: 'You cancelled your bid.' },
  cancelled: { reason: 'The auction was cancelled before your bid stood.' },
  void: { reason: 'The auction had to end without a winner. That was not because of your bid.' },
  failed: { reason: 'You had won the auction, but the sale could not be completed.' },
  account: { reason: 'Your account cannot trade in our store at the moment.' },
  operator: { reason: 'We ended your bid. If you do not know why, write to us.' },
  dispute: { reason: 'The bank of the card questioned this payment.' },
  undecided: { reason: 'The auction was not decided in time, because of a fault in our store. We are sorry.' },
  bid_not_found: {
    reason:
      'Your bid was lost, because of a fault in our store. We are sorry. While the auction runs you can bid again.',
    mayBidAgain: true,
  },
}

/** Of a void auction. */
const voidReasons: Record<string, string> = {
  moved: 'The work has left the owner who auctioned it.',
  hidden: 'The work is no longer shown in our store.',
  account: 'Its owner cannot sell in our store at the moment.',
  undeliverable: 'The work cannot be delivered at the moment.',
  operator: 'We ended the auction.',
}

const otherEnding: Ending = { reason: 'Your bid could not stand.' }

/**
 * To a bidder who does not get the work. `why`: of the event; one of a newer release has words that fit all.
 * `auctionWhy`: of a void auction, where the event has it.
 */
export function bidEnded({
  why,
  auctionWhy = '',
  exploreUrl,
  ...bid
}: MailedBid & { why: string; auctionWhy?: string; exploreUrl: string }): EmailContent {
  const { subject = hasEnded, reason, mayBidAgain } = Object.hasOwn(endings, why) ? endings[why]! : otherEnding
  return {
    ...ofBid(bid),
    subject: subject(`“${bid.work.name}”`),
    paragraphs: [
      Object.hasOwn(voidReasons, auctionWhy) ? `${reason} ${voidReasons[auctionWhy]}` : reason,
      givenBack(bid, why),
    ],
    action: mayBidAgain
      ? { label: 'Back to the auction', url: bid.work.url }
      : { label: 'Look at other works', url: exploreUrl },
  }
}

const givenBack = ({ limitCents }: MailedBid, why?: string) =>
  `Nothing was charged. The hold of ${amount(limitCents)} on your card is ${why === 'hold_lost' ? 'over' : 'given back'}; your bank may show it for some days.`

const ofBid = (
  { work, limitCents, priceCents, orderNumber, contactUrl }: MailedBid,
  more: [string, string][] = [],
): Pick<EmailContent, 'works' | 'facts' | 'help'> => ({
  works: [work],
  facts: [
    ['Work', work.name],
    ...(priceCents === null ? [] : [['Price in the auction', amount(priceCents)] as [string, string]]),
    ['Your maximum, not charged', amount(limitCents)],
    ...more,
    ['Order', orderNumber],
  ],
  help: { label: 'A question about this bid?', url: contactUrl },
})
