import { type Bid, bidders, limits, OPENING, type State } from './state.ts'

const isPastAward = ({ line }: Bid) =>
  line === 'authorised' || line === 'delivered' || line === 'completed' || line === 'written_off'
const hasAward = ({ catalog }: Bid) => catalog === 'leading' || catalog === 'won'
const atMostOne = (many: unknown[]) => many.length <= 1

/** Bids of others whose limit is above that of the winner. */
function higherThanWinner({ bids }: State): Bid[] {
  const winner = bids.findIndex(({ catalog }) => catalog === 'won')
  if (winner === -1) return []
  return bids.filter((_, at) => bidders[at] !== bidders[winner] && limits[at]! > limits[winner]!)
}

/** What each state fulfils. */
const invariants = {
  'an order is authorised once its bid has won': ({ bids }) =>
    bids.every((bid) => bid.catalog === 'won' || !isPastAward(bid)),
  'a bid leads, or has won, once its card was held': ({ bids }) =>
    bids.every((bid) => bid.hold !== 'none' || !hasAward(bid)),
  'the card of a winner is charged, or the bank or the chain prevented it': ({ bids }) =>
    bids.every(
      ({ catalog, line, hold, delivery }) =>
        !(catalog === 'won' && line === 'released' && hold === 'held' && delivery !== 'failed'),
    ),
  'one order is authorised': ({ isBeingBought, bids }) =>
    atMostOne([
      ...bids.filter((bid) => isPastAward(bid) && bid.delivery !== 'failed'),
      ...(isBeingBought ? ['purchase'] : []),
    ]),
  'an awarded work is reserved for its winner': ({ auction, bids }) =>
    (auction === 'awarded') === bids.some(({ isReserved }) => isReserved) &&
    bids.every(({ isReserved, catalog }) => !isReserved || catalog === 'won'),
  'one bid leads or has won, in an auction that is open or awarded': ({ auction, bids }) =>
    atMostOne(bids.filter(hasAward)) &&
    bids.every(
      ({ catalog }) =>
        (catalog !== 'leading' || auction === 'open') &&
        (catalog !== 'won' || auction === 'awarded' || auction === 'sold'),
    ),
  'a bid that waits is one of an open auction': ({ auction, bids }) =>
    auction === 'open' || bids.every(({ catalog }) => catalog !== 'started'),
  'the price is at least the opening price, and at most the limit of who leads or has won': ({ price, bids }) =>
    price >= OPENING && bids.every((bid, at) => !hasAward(bid) || price <= limits[at]!),
  'the highest limit wins, unless its hold was lost': (state) =>
    higherThanWinner(state).every(({ hasStood, hold }) => !hasStood || hold === 'lost'),
  'a higher bid that its bank confirmed in time loses after three minutes only': (state) =>
    state.clock === 'over' ||
    higherThanWinner(state).every(
      ({ catalog, isInTime, hasStood, hold }) => !isInTime || hasStood || hold === 'lost' || catalog === 'late_by_us',
    ),
  'a bid that its bank confirmed in time and that is too late is reported': ({ bids }) =>
    bids.every(
      ({ catalog, isInTime, line, hold }) =>
        !(catalog === 'too_late' && isInTime && line === 'released') || hold === 'lost',
    ),
  'a card is charged once its work is delivered': ({ bids }) =>
    bids.every(({ hold, delivery }) => hold !== 'captured' || delivery === 'final'),
  'a card is charged the price of its auction': ({ price, bids }) =>
    bids.every(({ hold, charged }) => charged === (hold === 'captured' ? price : 0)),
  'a bid that ended keeps no reservation and no charge': ({ bids }) =>
    bids.every(
      ({ catalog, hold, isReserved }) =>
        catalog === 'started' || catalog === 'leading' || catalog === 'won' || (hold !== 'captured' && !isReserved),
    ),
} satisfies Record<string, (state: State) => boolean>

export type Invariant = keyof typeof invariants

export const violationsOf = (state: State): string[] =>
  Object.entries(invariants).flatMap(([invariant, holds]) => (holds(state) ? [] : [invariant]))

/** The auction is decided, no page is open, no card is held, nothing is reserved, every event is consumed. */
export const isOver = ({ auction, isBeingBought, bids }: State) =>
  auction !== 'open' &&
  auction !== 'awarded' &&
  !isBeingBought &&
  bids.every(
    (bid) =>
      bid.catalog !== 'started' &&
      bid.catalog !== 'leading' &&
      (bid.line === 'none' || bid.line === 'completed' || bid.line === 'written_off' || bid.line === 'released') &&
      bid.page !== 'open' &&
      bid.hold !== 'held' &&
      !bid.isReserved &&
      !bid.isReleasePublished,
  )
