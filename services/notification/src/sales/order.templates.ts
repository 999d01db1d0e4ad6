import { declineSentence } from '@nifty/api/payments/decline'
import { formatPrice } from '@nifty/api/price'
import { toEuros } from '@nifty/api/shapes'
import type { EmailContent, MailedWork, Store } from '../mails/email-layout.ts'
import { timeText } from '../mails/time-text.ts'

/** What the mails about a whole order have in common. Amounts in cents; `works` has at least one. */
export type MailedOrder = {
  orderNumber: string
  totalCents: number
  works: MailedWork[]
  /** The contact page with a subject about the order. */
  contactUrl: string
}

const helpOf = ({ contactUrl }: MailedOrder) => ({ label: 'A question about this order?', url: contactUrl })
const amount = (cents: number) => formatPrice(toEuros(cents))

/** The works of an order as one fact, or as many. */
const workFacts = ({ works }: MailedOrder): [string, string][] => works.map(({ name }) => ['Work', name])

type Placed = {
  order: MailedOrder
  /** ISO 8601. */
  deliverBy: string
  /** Null: into the store's custody. */
  wallet: string | null
  isGift: boolean
  /** An offer was accepted, a bid has won: they have one work. */
  kind: 'purchase' | 'offer' | 'bid'
  /** What the card holds, cents: of a bid more than its total, when it won below its maximum. */
  heldCents: number
  termsVersion: string
  company: Store['company']
  orderUrl: string
  termsUrl: string
}

type KindTexts = { subject: (order: MailedOrder) => string; thanks: string; binding: string }

const kinds: Record<Placed['kind'], KindTexts> = {
  purchase: {
    subject: ({ orderNumber }) => `Your order ${orderNumber}`,
    thanks: 'Thank you for your order.',
    binding:
      'To cancel, open your order and choose “Cancel the purchase”. That is possible until the delivery has begun.',
  },
  offer: {
    subject: ({ works }) => `Your offer for “${works[0]!.name}” was accepted`,
    thanks: 'The owner accepted your offer, which is your order now.',
    binding: 'An offer cannot be withdrawn after it was accepted.',
  },
  bid: {
    subject: ({ works }) => `You won the auction of “${works[0]!.name}”`,
    thanks: 'You won the auction, and your bid is your order now.',
    binding: 'A bid that has won cannot be cancelled.',
  },
}

function heldText({ works, totalCents }: MailedOrder, heldCents: number): string {
  if (heldCents > totalCents)
    return `The price is ${amount(totalCents)}. Your bank holds your maximum of ${amount(heldCents)}, and nothing is charged yet: when the work has arrived, your card is charged the price, and the rest of the hold is given back.`
  const charged = works.length === 1 ? 'when the work has arrived' : 'for works that have arrived'
  return `${amount(totalCents)} is held on your card, not charged: your card is charged only ${charged}.`
}

/** The confirmation of an order, with what was agreed. */
export function orderPlaced({
  order,
  deliverBy,
  wallet,
  isGift,
  kind,
  heldCents,
  termsVersion,
  company,
  orderUrl,
  termsUrl,
}: Placed): EmailContent {
  const isOne = order.works.length === 1
  const { subject, thanks, binding } = kinds[kind]
  return {
    subject: subject(order),
    paragraphs: [
      `${thanks} ${heldText(order, heldCents)}`,
      isGift
        ? 'It is a gift: once it has arrived and is paid, we mail the link to accept it. Until it is accepted it is yours.'
        : wallet === null
          ? `We keep ${isOne ? 'it' : 'them'} for you, free of charge, until you move ${isOne ? 'it' : 'them'} to a wallet of your own.`
          : `${isOne ? 'It is' : 'They are'} delivered to your wallet.`,
      'What has not arrived by the time below is not charged, and the hold on your card ends.',
      binding,
    ],
    works: order.works,
    facts: [
      ['Order', order.orderNumber],
      ...(isOne ? workFacts(order) : []),
      ...(kind === 'bid' ? [['Price', amount(order.totalCents)] as [string, string]] : []),
      [kind === 'bid' ? 'Your maximum, held, not charged' : 'Held, not charged', amount(heldCents)],
      ['Delivered by', timeText(deliverBy)],
      wallet === null
        ? ['Delivered to', isGift ? 'Our custody, as a gift' : 'Our custody, for you']
        : ['Delivered to', wallet],
      ['Your contract is with', company.name],
      ['Terms accepted', `Version ${termsVersion}`],
    ],
    action: { label: 'See your order', url: orderUrl },
    links: [{ label: 'Terms & Conditions', url: termsUrl }],
    help: helpOf(order),
  }
}

/** `declined`: a reason of the closed list, or one of a newer release. */
export function paymentFailed({ order, declined }: { order: MailedOrder; declined: string }): EmailContent {
  const [first] = order.works as [MailedWork]
  const isOne = order.works.length === 1
  return {
    subject: isOne ? `Your payment for “${first.name}” failed` : `Your payment for ${order.works.length} works failed`,
    paragraphs: [
      declineSentence(declined),
      `Nothing was held on your card and nothing was charged. ${isOne ? 'The work is' : 'The works are'} no longer reserved for you; while ${isOne ? 'it is' : 'they are'} for sale you can try again, for example with another card.`,
    ],
    works: order.works,
    facts: [
      ...(isOne ? workFacts(order) : []),
      ['Not charged', amount(order.totalCents)],
      ['Order', order.orderNumber],
    ],
    action: { label: isOne ? 'Back to the work' : 'Back to the first work', url: first.url },
    help: helpOf(order),
  }
}
