import type { LineState, Order } from '@nifty/api/payments/public'
import { releaseReason } from './order.ts'

const words: Record<LineState, string> = {
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

/** How an order stands, in two or three words. */
export const statusLabel = (state: LineState) => words[state]

/** What an order page says first: with one that was released, that nothing was charged. */
export function headline({ state, lines }: Order): { title: string; text: string } {
  switch (state) {
    case 'released':
      return {
        title: 'Nothing was charged',
        text: `${releaseReason(lines[0]?.reason ?? null)} No money has left your account.`,
      }
    case 'placed':
    case 'awaiting_payment':
      return { title: 'Waiting for your payment', text: 'Nothing is held and nothing is charged yet.' }
    case 'completed':
      return { title: 'It is yours', text: 'Delivered to your wallet; only then was your card charged.' }
    case 'written_off':
      return { title: 'It is yours', text: 'Delivered to your wallet. Your card was not charged in the end.' }
    case 'refunded':
      return { title: 'Refunded', text: 'The amount was returned to your card.' }
    case 'disputed':
      return { title: 'Disputed', text: 'Your bank is looking into this payment. The work stays where it is.' }
    case 'delivered':
    case 'capture_due':
      return { title: 'It has arrived', text: 'The transfer is final. Your card is charged in a moment.' }
    default:
      return { title: 'On its way to you', text: 'Your card is held, not charged. This page follows by itself.' }
  }
}

const owned: readonly LineState[] = ['delivered', 'capture_due', 'completed', 'written_off', 'refunded', 'disputed']

/** The lines whose works the buyer has: what happens to the money afterwards changes nothing about that. */
export const ownedLines = ({ lines }: Pick<Order, 'lines'>) => lines.filter(({ state }) => owned.includes(state))

/** When the transfer of a line became final, or null. */
export const deliveredAt = ({ timeline }: Pick<Order, 'timeline'>, itemId: string) =>
  timeline.find((entry) => entry.itemId === itemId && entry.state === 'delivered')?.at ?? null

/** The first group of an order's id: enough to find it, short enough to read out. */
export const orderNumber = (id: string) => id.slice(0, 8).toUpperCase()
