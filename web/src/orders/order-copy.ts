import { declineSentence } from '@nifty/api/payments/decline'
import type { LineState, Order, OrderLine } from '@nifty/api/payments/public'
import { releaseReason } from './order.ts'

const labels: Record<LineState, string> = {
  placed: 'Waiting for your payment',
  awaiting_payment: 'Waiting for your payment',
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

/** An order's state in two or three words. */
export const statusLabel = (state: LineState) => labels[state]

/**
 * The title and the first sentence of an order page. A released order starts with "Nothing was charged".
 * `holder`: where the tokens of an order into custody are now.
 */
export function headline(order: Order, holder: 'custody' | 'withdrawn' = 'custody'): { title: string; text: string } {
  const { state, lines, wallet } = order
  const delivered =
    wallet !== null
      ? 'Delivered to your wallet'
      : holder === 'custody'
        ? 'Kept here for you'
        : 'It arrived in our custody'
  switch (state) {
    case 'released':
      return {
        title: 'Nothing was charged',
        text: `${releaseReason(lines[0]?.reason ?? null, order)} ${declinedText(order)}No money has left your account.`,
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
      return { title: 'It is yours', text: `${delivered}; only then was your card charged.` }
    case 'written_off':
      return { title: 'It is yours', text: `${delivered}. Your card was not charged in the end.` }
    case 'refunded':
      return { title: 'Refunded', text: 'The amount was returned to your card.' }
    case 'disputed':
      return { title: 'Disputed', text: 'Your bank is reviewing this payment. The work stays where it is.' }
    case 'delivered':
    case 'capture_due':
      return { title: 'It has arrived', text: 'The transfer is final. Your card is charged in a moment.' }
    default:
      return { title: 'On its way to you', text: 'Your card is held, not charged. This page updates automatically.' }
  }
}

/** Why the last card was declined, with a space behind it; empty when none was. */
export const declinedText = ({ declined }: Pick<Order, 'declined'>) => (declined ? `${declineSentence(declined)} ` : '')

const ownedStates: readonly LineState[] = [
  'delivered',
  'capture_due',
  'completed',
  'written_off',
  'refunded',
  'disputed',
]

/** The lines whose tokens the buyer owns. A later refund or dispute does not change that. */
export const ownedLines = ({ lines }: Pick<Order, 'lines'>) => lines.filter(({ state }) => ownedStates.includes(state))

/**
 * Whether the buyer has taken every work of the order out of custody. `withdrawalOf`: that of one line, if there is
 * one.
 */
export function isWithdrawn(order: Pick<Order, 'lines'>, withdrawalOf: (line: OrderLine) => unknown): boolean {
  const owned = ownedLines(order)
  return owned.length > 0 && owned.every((line) => withdrawalOf(line) !== undefined)
}

/** When the delivery of a line became final, or null. */
export const deliveredAt = ({ timeline }: Pick<Order, 'timeline'>, itemId: string) =>
  timeline.find((entry) => entry.itemId === itemId && entry.state === 'delivered')?.at ?? null
