import type { Gift } from '@nifty/api/minting/gifts'
import { declineSentence } from '@nifty/api/payments/decline'
import type { LineState } from '@nifty/api/payments/line-states'
import type { Order, OrderLine } from '@nifty/api/payments/public'
import { endingOf } from './bid-ending.ts'
import { wasHeld } from './offer-ending.ts'
import { isPlaced, releaseReason } from './order.ts'

const labels: Record<LineState, string> = {
  placed: 'Waiting for your payment',
  awaiting_payment: 'Waiting for your payment',
  held: 'Waiting for the owner',
  authorised: 'Card held',
  delivering: 'On its way',
  delivered: 'Arrived',
  capture_due: 'Arrived',
  completed: 'Completed',
  released: 'Nothing was charged',
  written_off: 'Yours, not charged',
  refunded: 'Refunded',
  disputed: 'Disputed',
}

/**
 * Where the tokens of an order into custody are now: `offered` in custody until their gift is accepted, `given` their
 * recipient's.
 */
export type Holder = 'custody' | 'withdrawn' | 'offered' | 'given'

const giftLabels = { offered: 'Gift, not accepted yet', given: 'Gift, accepted' }
const isOfGift = (holder: Holder) => holder === 'offered' || holder === 'given'
const endedWell: readonly LineState[] = ['completed', 'written_off']

/** Where an order was delivered, as a fact. */
export function deliveryFact({ state, wallet, isGift }: Pick<Order, 'state' | 'wallet' | 'isGift'>): [string, string] {
  if (state === 'released') return ['Delivered', 'Nothing']
  if (wallet !== null) return ['Delivered to wallet', wallet]
  return ['Delivered to', isGift ? 'Our custody, as a gift' : 'Our custody, for you']
}

/** An order's state in a few words. */
export const statusLabel = (state: LineState, holder: Holder = 'custody') =>
  isOfGift(holder) && endedWell.includes(state) ? giftLabels[holder] : labels[state]

/** The state of an offer or a bid in a few words; of one that ended without a sale, why. */
export function conditionalLabel(order: Order, holder: Holder): string {
  const isBid = order.kind === 'bid'
  if (order.state === 'authorised') return isBid ? 'Won' : 'Accepted'
  if (order.state === 'held' && !isPlaced(order)) return 'Card held'
  if (isBid && order.state === 'held') return 'You lead'
  return order.state === 'released' ? endingOf(order).short : statusLabel(order.state, holder)
}

const arrivals: Record<Holder, { title: string; text: string }> = {
  custody: { title: 'It is yours', text: 'Kept here for you' },
  withdrawn: { title: 'It is yours', text: 'It arrived in our custody' },
  offered: { title: 'Your gift is not accepted yet', text: 'It is yours until it is accepted, and kept here' },
  given: { title: 'Your gift was accepted', text: 'It went to its recipient' },
}

/** The title and the first sentence of an order page. A released order starts with "Nothing was charged". */
export function headline(order: Order, holder: Holder = 'custody'): { title: string; text: string } {
  const { state, lines, wallet } = order
  const { title, text: delivered } =
    wallet === null ? arrivals[holder] : { title: 'It is yours', text: 'Delivered to your wallet' }
  switch (state) {
    case 'released':
      return {
        title: 'Nothing was charged',
        text: `${releaseReason(lines[0]?.reason ?? null, order)} ${declinedText(order)}${wasHeld(order) ? 'The hold on your card is given back. ' : ''}No money has left your account.`,
      }
    case 'held':
      if (!isPlaced(order))
        return {
          title: 'Your card is held',
          text: `Nothing is charged. Your ${order.kind} is being placed, and this page updates by itself.`,
        }
      if (order.kind === 'bid')
        return {
          title: 'You lead the auction',
          text: 'Your card is held, not charged. When you are outbid the hold is given back at once.',
        }
      return {
        title: 'Waiting for the owner',
        text: 'Your card is held, not charged. If the owner does not accept your offer in time, the hold is given back.',
      }
    case 'placed':
    case 'awaiting_payment':
      return {
        title: 'Waiting for your payment',
        text: order.declined
          ? `${declinedText(order)}Nothing is held. You can try another card.`
          : 'Nothing is held and nothing is charged yet.',
      }
    case 'completed':
      return {
        title,
        text: isOfGift(holder)
          ? `${delivered}. Your card was charged once it had arrived.`
          : `${delivered}; only then was your card charged.`,
      }
    case 'written_off':
      return { title, text: `${delivered}. Your card was not charged in the end.` }
    case 'refunded':
      return { title: 'Refunded', text: 'The amount was returned to your card.' }
    case 'disputed':
      return { title: 'Disputed', text: 'Your bank is reviewing this payment. The work stays where it is.' }
    case 'delivered':
    case 'capture_due':
      return { title: 'It has arrived', text: 'The transfer is final. Your card is charged in a moment.' }
    default:
      return {
        title: order.isGift
          ? 'Your gift is on its way'
          : state === 'authorised' && order.kind === 'bid'
            ? 'You won the auction'
            : state === 'authorised' && order.kind === 'offer'
              ? 'Your offer was accepted'
              : 'On its way to you',
        text: 'Your card is held, not charged. This page updates automatically.',
      }
  }
}

/** What happened to the work of an order that has arrived, and to the money; undefined for another one. */
export function arrivalText(order: Order): string | undefined {
  if (ownedLines(order).length === 0) return undefined
  const { title, text } = headline(order)
  return `${title}. ${text}`
}

/** Why the last card was declined, with a space behind it; empty when none was. */
export const declinedText = ({ declined }: Pick<Order, 'declined'>) => (declined ? `${declineSentence(declined)} ` : '')

/** What the page of a work says while the buyer's order of it is unpaid. */
export const unfinishedText = ({ isGift }: Pick<Order, 'isGift'>) =>
  isGift
    ? 'You have an unfinished payment for this work, which you are buying as a gift.'
    : 'You have an unfinished payment for this work.'

const ownedStates: readonly LineState[] = [
  'delivered',
  'capture_due',
  'completed',
  'written_off',
  'refunded',
  'disputed',
]

/** The lines whose tokens the buyer received. A later refund or dispute does not change that. */
export const ownedLines = ({ lines }: Pick<Order, 'lines'>) => lines.filter(({ state }) => ownedStates.includes(state))

type GiftOf = (line: OrderLine) => Pick<Gift, 'state'> | undefined

/** The lines whose tokens the buyer received and has not given away. */
export const keptLines = (order: Pick<Order, 'lines'>, giftOf: GiftOf) =>
  ownedLines(order).filter((line) => !isGiven(giftOf(line)))

const isGiven = (gift: ReturnType<GiftOf>) => gift?.state === 'claiming' || gift?.state === 'claimed'

/**
 * Where the works of the order that arrived are. `withdrawalOf` and `giftOf`: those of one line, if there are any. A
 * gift that is not known yet waits.
 */
export function holderOf(
  order: Pick<Order, 'lines' | 'isGift'>,
  { withdrawalOf, giftOf }: { withdrawalOf?: (line: OrderLine) => unknown; giftOf: GiftOf },
): Holder {
  const owned = ownedLines(order)
  if (owned.length === 0) return 'custody'
  if (withdrawalOf && owned.every((line) => withdrawalOf(line) !== undefined)) return 'withdrawn'
  const gifts = owned.map(giftOf)
  if (gifts.every(isGiven)) return 'given'
  const waits = (gift: ReturnType<GiftOf>) =>
    gift === undefined ? order.isGift : gift.state === 'bought' || gift.state === 'offered'
  return gifts.some(waits) ? 'offered' : 'custody'
}

/** When the delivery of a line became final, or null. */
export const deliveredAt = ({ timeline }: Pick<Order, 'timeline'>, itemId: string) =>
  timeline.find((entry) => entry.itemId === itemId && entry.state === 'delivered')?.at ?? null
