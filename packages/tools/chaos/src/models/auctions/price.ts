import { type Bid, bidders, limits, OPENING, STEP, type State } from './state.ts'

export const leaderOf = ({ bids }: State) => bids.findIndex(({ catalog }) => catalog === 'leading')

/** The least that a new bid names. */
export const minimumOf = (state: State) => (leaderOf(state) === -1 ? OPENING : state.price + STEP)

/** Whether the limit of a bid is enough: for a raise of the own one, or against the leader. */
export function isEnough(state: State, at: number): boolean {
  const leader = leaderOf(state)
  const isRaise = leader !== -1 && bidders[leader] === bidders[at]
  return isRaise ? limits[at]! > limits[leader]! : limits[at]! >= minimumOf(state)
}

/**
 * Catalog, under the lock of the item: a bid that began stands. Of two limits the higher one leads, at one step above
 * the other; the former order of a raise ends. Taking the lead or raising the price after the end moves the end.
 */
export function stand(state: State, at: number, ended: Partial<Bid>): State {
  const leader = leaderOf(state)
  const limit = limits[at]!
  if (!isEnough(state, at)) return withBid(state, at, { ...ended, hasStood: leader === -1 || !isOwn(leader, at) })
  const standing: Partial<Bid> = { catalog: 'leading', hasStood: true }
  if (leader === -1) return extended(withBid({ ...state, price: OPENING }, at, standing))
  if (isOwn(leader, at)) return withBid(withBid(state, leader, ended), at, standing)
  const other = limits[leader]!
  const isHigher = limit > other
  const price = Math.min(Math.max(limit, other), Math.min(limit, other) + STEP)
  const after = isHigher
    ? withBid(withBid(state, leader, ended), at, standing)
    : withBid(state, at, { ...ended, hasStood: true })
  return withoutTooLow(extended({ ...after, price }), ended)
}

const isOwn = (leader: number, at: number) => bidders[leader] === bidders[at]

export const withBid = (state: State, at: number, changes: Partial<Bid>): State => ({
  ...state,
  bids: state.bids.map((bid, place) => (place === at ? { ...bid, ...changes } : bid)),
})

/** The end moves while it is before the latest one. */
export const extended = (state: State): State =>
  state.clock !== 'running' && state.extensions > 0
    ? { ...state, clock: 'running', extensions: state.extensions - 1 }
    : state

/** Bids that began and whose limit is no longer enough end before their cards are held. */
const withoutTooLow = (state: State, ended: Partial<Bid>): State => ({
  ...state,
  bids: state.bids.map((bid, at) => (bid.catalog === 'started' && !isEnough(state, at) ? { ...bid, ...ended } : bid)),
})
