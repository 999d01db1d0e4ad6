import type { LineState } from '@nifty/api/payments/line-states'
import type { DeliverTo, Order, OrderLine } from '@nifty/api/payments/public'
import { endingOf as conditionalEnding } from './bid-ending.ts'
import { wasHeld } from './offer-ending.ts'

const finalStates: readonly LineState[] = ['completed', 'released', 'written_off', 'refunded', 'disputed']

/** The order is in a final state. */
export const isFinal = ({ state }: Pick<Order, 'state'>) => finalStates.includes(state)

/** An offer or a bid: its card is held before its sale is decided. */
export const isConditional = ({ kind }: Kind) => kind === 'offer' || kind === 'bid'

/** The owner has the offer, or the auction the bid: a moment after the card is held. */
export const isPlaced = ({ kind, auctionId, decideBy }: Pick<Order, 'kind' | 'auctionId' | 'decideBy'>) =>
  (kind === 'bid' ? auctionId : decideBy) !== null

/** A bid whose auction is not decided, or that ended before: its price is the most that its bidder would pay. */
export const isUndecidedBid = ({ kind, timeline }: Pick<Order, 'kind' | 'timeline'>) =>
  kind === 'bid' && !timeline.some(({ state }) => state === 'authorised')

export const isUnpaid = ({ state }: Pick<Order, 'state'>) => state === 'placed' || state === 'awaiting_payment'

/** The card is held and the sale is decided: the order is delivered now. */
export const isUnderDelivery = (order: Pick<Order, 'state'>) =>
  !isFinal(order) && !isUnpaid(order) && order.state !== 'held'

/** The sale of an offer or a bid is decided for its buyer: the order is delivered now, or the work has arrived. */
export const isWon = (order: Pick<Order, 'state'>) =>
  isUnderDelivery(order) || (isFinal(order) && order.state !== 'released')

/** The order of this item that awaits its payment, if there is one. */
export const openOrderFor = (orders: Order[], itemId: string) =>
  orders.find((order) => isUnpaid(order) && order.lines.some((line) => line.itemId === itemId))

/** An order that is an offer for this item, in any state. */
export const isOfferFor = ({ kind, lines }: Order, itemId: string) =>
  kind === 'offer' && lines.some((line) => line.itemId === itemId)

/** Milliseconds that the page of a work shows why an offer for it ended. */
const ENDED_OFFER_SHOWN_MS = 14 * 24 * 60 * 60 * 1000

/**
 * The buyer's offer for this item, of orders with the newest first: one that is under way, or else the newest one if it
 * ended a short time ago. One that was never paid counts only if it is the order `asked`, from whose payment page the
 * buyer comes back. One whose work has arrived only if it is the order `followed`, which the page has shown before.
 * `now` in milliseconds.
 */
export function offerFor(
  offers: Order[],
  itemId: string,
  { asked, followed, now }: { asked: string | null; followed?: string | undefined; now: number },
) {
  const own = offers.filter((order) => isOfferFor(order, itemId))
  const underWay = own.find((order) => !isFinal(order))
  if (underWay) return underWay
  const newest = own.find((order) => order._id === asked || wasHeld(order))
  if (newest?.state !== 'released') return newest?._id === followed ? newest : undefined
  const endedAt = newest.timeline.findLast(({ state }) => state === 'released')?.at ?? newest.createdAt
  return newest._id === asked || now - Date.parse(endedAt) < ENDED_OFFER_SHOWN_MS ? newest : undefined
}

/** Where the tokens of an order go. */
export const deliverToOf = ({ wallet }: Pick<Order, 'wallet'>): DeliverTo => (wallet === null ? 'custody' : 'wallet')

export type Step = {
  state: LineState
  title: string
  text: string
  at: string | null
  phase: 'done' | 'now' | 'next' | 'failed'
}

type Recipient = Pick<Order, 'wallet'>
type Kind = Partial<Pick<Order, 'kind'>>

const isArrived = ({ state }: Pick<OrderLine, 'state'>) => state === 'delivered' || state === 'capture_due'

/**
 * The steps of a line that is delivered and captured, as they read once they are reached; `before`: the title of a
 * decision until then. What is over is told in the past. The card of an offer or a bid is held before its sale is
 * decided. `given`: the buyer has given the work away.
 */
const regularSteps = (
  line: Pick<OrderLine, 'state'>,
  { wallet, kind, given }: Recipient & Kind & { given: boolean },
): { state: LineState; title: string; before?: string; text: string }[] => {
  const into = wallet === null ? 'into our custody for you' : 'to your wallet'
  const decided = { state: 'authorised' as const }
  const transferred =
    line.state === 'released' ? `The transfer ${into} was started.` : `The work was transferred ${into}.`
  return [
    {
      state: isConditional({ kind }) ? 'held' : 'authorised',
      title: 'Card held',
      text: isFinal(line) ? 'The amount was held on your card.' : 'The amount is held on your card. It is not charged.',
    },
    ...(kind === 'offer'
      ? [{ ...decided, title: 'Accepted', before: 'The owner decides', text: 'The owner accepted your offer.' }]
      : []),
    ...(kind === 'bid' ? [{ ...decided, title: 'Won', before: 'The auction ends', text: 'You won the auction.' }] : []),
    {
      state: 'delivering',
      title: 'On its way',
      text: isFinal(line) || isArrived(line) ? transferred : `The work is being transferred ${into}.`,
    },
    {
      state: 'delivered',
      title: 'Arrived',
      text: `The transfer is final on the chain.${given ? '' : ' The work is yours.'}`,
    },
    { state: 'completed', title: 'Charged', text: 'Only now was your card charged.' },
  ]
}

/** The last step of a line that ends otherwise. */
const endingOf = (
  { state }: Pick<OrderLine, 'state'>,
  { given }: { given: boolean },
): { title: string; text: string } | undefined => {
  switch (state) {
    case 'written_off':
      return {
        title: 'Not charged',
        text: `The hold on your card expired before it could be charged. ${given ? 'You owe us nothing.' : 'The work is yours all the same.'}`,
      }
    case 'refunded':
      return { title: 'Refunded', text: 'The amount was returned to your card.' }
    case 'disputed':
      return { title: 'Disputed', text: 'Your bank is reviewing this payment.' }
    default:
      return undefined
  }
}

/** Why a line was released, as a sentence. */
export function releaseReason(
  reason: string | null,
  { wallet, kind, timeline = [] }: Recipient & Partial<Pick<Order, 'kind' | 'timeline'>>,
): string {
  if (isConditional({ kind }) && reason !== 'undeliverable')
    return conditionalEnding({ kind, lines: [{ reason }], timeline }).text
  switch (reason) {
    case 'cancelled':
      return 'The purchase was cancelled.'
    case 'expired':
      return 'The payment was not made in time.'
    case 'undeliverable':
      return `The work could not be ${wallet === null ? 'transferred into our custody for you' : 'delivered to your wallet'}.`
    default:
      return 'The purchase did not go through.'
  }
}

/** The steps of one order line in order: done, current and upcoming. `given`: the buyer has given its work away. */
export function stepsOf(
  line: OrderLine,
  { given = false, ...order }: Recipient & Kind & Pick<Order, 'timeline'> & { given?: boolean },
): Step[] {
  const { timeline } = order
  const regular = regularSteps(line, { ...order, given })
  const reachedAt = (state: LineState) =>
    timeline.findLast((entry) => entry.itemId === line.itemId && entry.state === state)?.at ?? null

  if (line.state === 'released') {
    const done = regular
      .filter(({ state }) => reachedAt(state) !== null)
      .map(({ before, ...step }) => ({ ...step, at: reachedAt(step.state), phase: 'done' as const }))
    const held = reachedAt('authorised') !== null || reachedAt('held') !== null
    const text = `${releaseReason(line.reason, order)} ${held ? 'The hold on your card is released.' : 'Your card was never held.'}`
    const at = reachedAt('released')
    return [...done, { state: 'released', title: 'Nothing was charged', text, at, phase: 'failed' }]
  }

  const ending = endingOf(line, { given })
  const expected = ending ? regular.filter(({ state }) => state !== 'completed' || reachedAt(state)) : regular
  const current = expected.findIndex(({ state }) => reachedAt(state) === null)
  const steps = expected.map(({ before, ...step }, index): Step => {
    const at = reachedAt(step.state)
    const isDone = Boolean(at || ending)
    const title = isDone ? step.title : (before ?? step.title)
    return { ...step, title, at, phase: isDone ? 'done' : index === current ? 'now' : 'next' }
  })
  return ending ? [...steps, { ...ending, state: line.state, at: reachedAt(line.state), phase: 'done' }] : steps
}
