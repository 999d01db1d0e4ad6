import type { Move } from '../search/explore.ts'
import { extended, isEnough, leaderOf, stand, withBid } from './price.ts'
import { type Bid, bidders, limits, OPENING, type State } from './state.ts'
import type { Variant } from './variants.ts'

type Moves = Generator<Move<State>>

const without = (state: State, what: keyof State['left']): State => ({
  ...state,
  left: { ...state.left, [what]: state.left[what] - 1 },
})

const endedAs = (catalog: Bid['catalog'], variant: Variant): Partial<Bid> => ({
  catalog,
  isVerdictPublished: variant === 'verdict only in an event',
})
const endAll = (state: State, which: Bid['catalog'][], as: Bid['catalog'], variant: Variant): State => ({
  ...state,
  bids: state.bids.map((bid) => (which.includes(bid.catalog) ? { ...bid, ...endedAs(as, variant) } : bid)),
})

/** A kill, a lost response and a repeated event leave the state as it is, or a call without the caller's next state. */
export function* movesOf(state: State, variant: Variant): Moves {
  yield* work(state, variant)
  yield* auction(state, variant)
  for (const at of state.bids.keys()) {
    yield* bidder(state, at, variant)
    yield* processor(state, at, variant)
    yield* payments(state, at, variant)
    yield* minting(state, at)
    yield* catalog(state, at, variant)
  }
}

/** Other ways in which the work goes. While it is on auction it is not for sale. */
function* work(state: State, variant: Variant): Moves {
  const isFree = !state.isBeingBought && !state.bids.some(({ isReserved }) => isReserved)
  if (state.left.purchases > 0 && state.auction !== 'open' && state.token === 'seller' && isFree)
    yield {
      name: 'somebody buys it',
      by: 'environment',
      to: { ...without(state, 'purchases'), isBeingBought: true },
    }
  if (state.isBeingBought)
    yield { name: 'the purchase is released', by: 'system', to: { ...state, isBeingBought: false } }
  if (state.left.movedTokens > 0 && state.token === 'seller')
    yield {
      name: 'the token moves',
      by: 'environment',
      to: { ...without(state, 'movedTokens'), token: 'elsewhere' },
    }
  if (state.token === 'elsewhere' && !state.isMoveConsumed) {
    const moved = { ...state, isMoveConsumed: true }
    yield {
      name: 'catalog: moved',
      by: 'system',
      to: state.auction === 'open' ? voided(moved, variant) : moved,
    }
  }
}

const voided = (state: State, variant: Variant): State =>
  endAll({ ...state, auction: 'void' }, ['started', 'leading'], 'ended', variant)

/** Catalog, under the lock of the item: the clock and the decision. */
function* auction(state: State, variant: Variant): Moves {
  if (state.auction !== 'open') return
  const leader = leaderOf(state)
  if (leader === -1)
    yield { name: 'its seller or an operator cancels it', by: 'environment', to: voided(state, variant) }
  if (state.clock === 'running') yield { name: 'the end', by: 'system', to: { ...state, clock: 'grace' } }
  if (state.clock === 'grace')
    yield { name: 'three minutes after the end', by: 'system', to: { ...state, clock: 'over' } }
  const isUnderWay = state.bids.some(({ catalog }) => catalog === 'started')
  const isDue =
    state.clock === 'over' ||
    (state.clock === 'grace' && (!isUnderWay || variant === 'decided while a bid is under way'))
  if (!isDue) return
  const decided = endAll(state, ['started'], 'too_late', variant)
  if (leader === -1) yield { name: 'catalog: unsold', by: 'system', to: { ...decided, auction: 'unsold' } }
  else
    yield {
      name: 'catalog: awarded',
      by: 'system',
      to: withBid({ ...decided, auction: 'awarded' }, leader, {
        catalog: 'won',
        isReserved: variant !== 'reserved after the award',
        isVerdictPublished: variant === 'verdict only in an event',
      }),
    }
}

function* bidder(state: State, at: number, variant: Variant): Moves {
  const bid = state.bids[at]!
  const move = (name: string, changes: Partial<Bid>): Move<State> => ({
    name: `${bidders[at]}, ${limits[at]} €: ${name}`,
    by: 'environment',
    to: withBid(state, at, changes),
  })

  // One page per bidder and work. Catalog stores it, then payments: both are idempotent by order id, so it is one move.
  const hasPage = state.bids.some(
    ({ line }, other) => bidders[other] === bidders[at] && (line === 'placed' || line === 'awaiting_payment'),
  )
  const isTaking = state.auction === 'open' && state.clock === 'running'
  if (bid.catalog === 'none' && isTaking && !hasPage && isEnough(state, at))
    yield move('begin', { catalog: 'started', line: 'placed' })
  if (bid.page === 'open')
    yield move('pay', { page: 'complete', hold: 'held', isInTime: bid.catalog === 'started' && state.clock !== 'over' })
  if (variant === 'a winner can cancel' && bid.line === 'authorised' && bid.delivery === 'waiting')
    yield move('cancel', { line: 'released', delivery: 'stopped', isReleasePublished: true })
}

function* processor(state: State, at: number, variant: Variant): Moves {
  const bid = state.bids[at]!
  // Either the payment or the expiry, whatever requests it: payments, or the page's own end.
  if (bid.page === 'open') yield { name: 'the page expires', by: 'system', to: withBid(state, at, { page: 'expired' }) }
  if (bid.hold !== 'held') return
  if (state.left.lostHolds > 0)
    yield {
      name: 'the bank ends the hold',
      by: 'environment',
      to: withBid(without(state, 'lostHolds'), at, { hold: 'lost' }),
    }
  // A process of the former release has no state `held`.
  if (variant === 'a former process gives holds back' && bid.line === 'held')
    yield {
      name: 'a former process cancels the hold',
      by: 'environment',
      to: withBid(state, at, { hold: 'lost' }),
    }
}

function* payments(state: State, at: number, variant: Variant): Moves {
  const bid = state.bids[at]!
  const move = (name: string, changes: Partial<Bid>, from = state): Move<State> => ({
    name: `payments, ${limits[at]} €: ${name}`,
    by: 'system',
    to: withBid(from, at, changes),
  })
  const released: Partial<Bid> = { line: 'released', isReleasePublished: true }

  if (bid.line === 'placed') {
    yield move('open the page', { line: 'awaiting_payment', page: 'open' })
    yield move('give up before the page', released)
  }
  if (bid.line === 'awaiting_payment') {
    if (bid.page === 'expired') yield move('expired', released)
    if (bid.page === 'complete') {
      yield move('held', { line: 'held', isHoldRead: true })
      if (variant === 'no guard against a former process')
        yield move('a former process authorises', { line: 'authorised', delivery: 'waiting', isHoldRead: true })
    }
    if (variant === 'given up by the own clock' && bid.page === 'open') yield move('give up the page', released)
    if (variant === 'placed before the hold' && bid.catalog === 'started')
      yield move('place before the hold', {}, placed(state, at, variant))
  }
  if (bid.line === 'held') yield* heldLine(state, at, variant)
  if (bid.line === 'released' && bid.hold === 'held' && bid.isHoldRead)
    yield move('cancel the hold', { hold: 'cancelled' })
  if (bid.isOutcomePublished && bid.line === 'authorised')
    yield bid.delivery === 'final'
      ? move('delivered', { line: 'delivered', isOutcomePublished: false })
      : move('undeliverable', { ...released, isOutcomePublished: false })
  if (bid.line === 'delivered') {
    const charged = variant === 'the whole hold is captured' ? limits[at]! : state.price
    yield bid.hold === 'held'
      ? move('capture', { line: 'completed', hold: 'captured', charged })
      : move('write off', { line: 'written_off' })
  }
}

/** Reads the hold, then requests the state of the bid from catalog; a cancellation ends it there unless it stands. */
function* heldLine(state: State, at: number, variant: Variant): Moves {
  const bid = state.bids[at]!
  const move = (name: string, changes: Partial<Bid>, from = state): Move<State> => ({
    name: `payments, ${limits[at]} €: ${name}`,
    by: 'system',
    to: withBid(from, at, changes),
  })

  if (bid.hold === 'lost') {
    yield move('the hold is lost', { line: 'released', isReleasePublished: true })
    return
  }
  // Its bidder cancelled the page at the moment of the payment.
  const cancelled: Partial<Bid> =
    variant === 'cancelled without catalog'
      ? { isReleasePublished: true }
      : { ...endedAs('ended', variant), isInTime: false }
  if (bid.catalog === 'started' || variant === 'cancelled without catalog')
    yield { ...move('cancelled', { ...cancelled, line: 'released' }), by: 'environment' }
  const reached = placed(state, at, variant)
  const { catalog: verdict, isVerdictPublished } = reached.bids[at]!
  if (reached !== state) yield move(`${verdict}, response lost`, {}, reached)
  if (verdict === 'leading') return
  const decided: Partial<Bid> = verdict === 'won' ? { line: 'authorised', delivery: 'waiting' } : { line: 'released' }
  if (variant !== 'verdict only in an event') yield move(`${verdict}`, decided, reached)
  else if (isVerdictPublished && reached === state) {
    yield move(`event of ${verdict}`, { ...decided, isVerdictPublished: false })
    yield { ...move('event lost', { isVerdictPublished: false }), by: 'environment' }
  }
}

/** `PUT /internal/bids/:orderId` of catalog, with the time at which the bank confirmed it. Idempotent. */
function placed(state: State, at: number, variant: Variant): State {
  const { catalog, isInTime } = state.bids[at]!
  if (catalog === 'started' && state.clock !== 'over') return stand(state, at, endedAs('ended', variant))
  if (catalog === 'too_late' && isInTime) return withBid(state, at, { catalog: 'late_by_us' })
  if (catalog === 'started') return withBid(state, at, endedAs(isInTime ? 'late_by_us' : 'too_late', variant))
  return state
}

/** For an hour, from the opening price on: former bids have no hold any more. */
const openedAgain = (state: State): State =>
  extended({
    ...state,
    price: OPENING,
    bids: state.bids.map((bid) => (bid.hasStood ? { ...bid, hasStood: false, isInTime: false } : bid)),
  })

/** As for a purchase. */
function* minting(state: State, at: number): Moves {
  const bid = state.bids[at]!
  const move = (name: string, changes: Partial<Bid>, from = state): Move<State> => ({
    name: `minting: ${name}`,
    by: 'system',
    to: withBid(from, at, changes),
  })
  const failed: Partial<Bid> = { delivery: 'failed', isOutcomePublished: true }

  if (bid.delivery === 'waiting') {
    if (state.token === 'seller') yield move('sign', { delivery: 'signed' })
    else yield move('not the owner', failed)
    if (state.left.refusedDeliveries > 0)
      yield { ...move('refused', failed, without(state, 'refusedDeliveries')), by: 'environment' }
    if (bid.hold === 'lost' && bid.line === 'authorised')
      yield move('stop', { delivery: 'stopped', line: 'released', isReleasePublished: true })
  }
  if (bid.delivery === 'signed')
    yield state.token === 'seller'
      ? move('final', { delivery: 'final', isOutcomePublished: true }, { ...state, token: 'winner' })
      : move('reverted', failed)
}

function* catalog(state: State, at: number, variant: Variant): Moves {
  const bid = state.bids[at]!
  const move = (name: string, changes: Partial<Bid>, from = state): Move<State> => ({
    name: `catalog, ${limits[at]} €: ${name}`,
    by: 'system',
    to: withBid(from, at, changes),
  })

  if (variant === 'reserved after the award' && bid.catalog === 'won' && !bid.isReserved && !state.isBeingBought)
    if (state.auction === 'awarded') yield move('reserved', { isReserved: true })
  if (bid.delivery === 'final' && state.auction === 'awarded')
    yield move('sold', { isReserved: false }, { ...state, auction: 'sold' })
  if (!bid.isReleasePublished) return
  const consumed: Partial<Bid> = { isReleasePublished: false }
  if (bid.catalog === 'won')
    yield variant === 'a released winner keeps the work'
      ? move('released, still reserved', consumed)
      : move('failed', { ...consumed, catalog: 'ended', isReserved: false }, { ...state, auction: 'failed' })
  else if (bid.catalog === 'leading')
    yield move('withdrawn', { ...consumed, ...endedAs('ended', variant) }, openedAgain(state))
  else yield move('released', bid.catalog === 'started' ? { ...consumed, ...endedAs('ended', variant) } : consumed)
}
