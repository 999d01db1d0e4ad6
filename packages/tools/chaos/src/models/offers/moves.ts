import type { Move } from '../search/explore.ts'
import type { Offer, State } from './state.ts'
import type { Variant } from './variants.ts'

type Moves = Generator<Move<State>>

const withOffer = (state: State, at: number, changes: Partial<Offer>): State => ({
  ...state,
  offers: state.offers.map((offer, place) => (place === at ? { ...offer, ...changes } : offer)),
})
const without = (state: State, what: keyof State['left']): State => ({
  ...state,
  left: { ...state.left, [what]: state.left[what] - 1 },
})

const isUndecided = ({ catalog }: Offer) => catalog === 'started' || catalog === 'open'
const ended = (variant: Variant): Partial<Offer> => ({
  catalog: 'ended',
  isVerdictPublished: variant === 'verdict only in an event',
})
const endOthers = (state: State, variant: Variant): State => ({
  ...state,
  offers: state.offers.map((offer) => (isUndecided(offer) ? { ...offer, ...ended(variant) } : offer)),
})

/** A kill, a lost response and a repeated event leave the state as it is, or a call without the caller's next state. */
export function* movesOf(state: State, variant: Variant): Moves {
  yield* work(state, variant)
  for (const at of state.offers.keys()) {
    yield* customers(state, at, variant)
    yield* processor(state, at, variant)
    yield* payments(state, at, variant)
    yield* minting(state, at)
    yield* catalog(state, at, variant)
  }
}

/** Other ways in which the work goes: catalog decides under the lock of the item. */
function* work(state: State, variant: Variant): Moves {
  const isFree = !state.isBeingBought && !state.offers.some(({ isReserved }) => isReserved)
  if (state.left.purchases > 0 && state.token === 'owner' && isFree)
    yield {
      name: 'somebody buys it',
      by: 'environment',
      to: { ...without(state, 'purchases'), isBeingBought: true },
    }
  if (state.isBeingBought) {
    yield { name: 'the purchase is released', by: 'system', to: { ...state, isBeingBought: false } }
    if (state.token === 'owner')
      yield {
        name: 'the purchase is delivered',
        by: 'environment',
        to: { ...endOthers(state, variant), isBeingBought: false, token: 'elsewhere', isMoveConsumed: true },
      }
  }
  if (state.left.movedTokens > 0 && state.token === 'owner')
    yield {
      name: 'the token moves',
      by: 'environment',
      to: { ...without(state, 'movedTokens'), token: 'elsewhere' },
    }
  if (state.token === 'elsewhere' && !state.isMoveConsumed)
    yield { name: 'catalog: moved', by: 'system', to: { ...endOthers(state, variant), isMoveConsumed: true } }
}

function* customers(state: State, at: number, variant: Variant): Moves {
  const offer = state.offers[at]!
  const move = (name: string, changes: Partial<Offer>): Move<State> => ({
    name,
    by: 'environment',
    to: withOffer(state, at, changes),
  })

  // Catalog stores it, then payments: both are idempotent by order id, so it is one move.
  if (offer.catalog === 'none' && !state.isMoveConsumed && state.token !== 'buyer')
    yield move('begin', { catalog: 'started', line: 'placed' })
  if (offer.page === 'open') yield move('pay', { page: 'complete', hold: 'held' })
  if (offer.line === 'held' && !offer.isWithdrawalRequested) yield move('withdraw', { isWithdrawalRequested: true })
  if (variant === 'an accepted offer can be cancelled' && offer.line === 'authorised' && offer.delivery === 'waiting')
    yield move('cancel', { line: 'released', delivery: 'stopped', isReleasePublished: true })

  const isReserved = state.isBeingBought || state.offers.some((other) => other.isReserved)
  const canAccept =
    offer.catalog === 'open' ||
    (variant === 'accepted from an old reading' && offer.catalog === 'ended' && offer.hold !== 'none')
  const isFree = !isReserved || variant === 'accepted while somebody pays'
  if (canAccept && isFree && !state.isMoveConsumed && state.token !== 'buyer')
    yield move('accept', {
      catalog: 'accepted',
      isReserved: true,
      isVerdictPublished: variant === 'verdict only in an event',
    })
}

function* processor(state: State, at: number, variant: Variant): Moves {
  const offer = state.offers[at]!
  // Either the payment or the expiry, whatever requests it: payments, or the page's own end.
  if (offer.page === 'open')
    yield { name: 'the page expires', by: 'system', to: withOffer(state, at, { page: 'expired' }) }
  if (offer.hold !== 'held') return
  if (state.left.lostHolds > 0)
    yield {
      name: 'the bank ends the hold',
      by: 'environment',
      to: withOffer(without(state, 'lostHolds'), at, { hold: 'cancelled' }),
    }
  // A process of the former release has no state `held`.
  if (variant === 'a former process gives holds back' && offer.line === 'held')
    yield {
      name: 'a former process cancels the hold',
      by: 'environment',
      to: withOffer(state, at, { hold: 'cancelled' }),
    }
}

function* payments(state: State, at: number, variant: Variant): Moves {
  const offer = state.offers[at]!
  const move = (name: string, changes: Partial<Offer>, from = state): Move<State> => ({
    name: `payments: ${name}`,
    by: 'system',
    to: withOffer(from, at, changes),
  })
  const released: Partial<Offer> = { line: 'released', isReleasePublished: true }

  if (offer.line === 'placed') {
    yield move('open the page', { line: 'awaiting_payment', page: 'open' })
    yield move('give up before the page', released)
  }
  if (offer.line === 'awaiting_payment') {
    if (offer.page === 'expired') yield move('expired', released)
    if (offer.page === 'complete') {
      yield move('held', { line: 'held', isHoldRead: true })
      if (variant === 'no guard against a former process')
        yield move('a former process authorises', { line: 'authorised', delivery: 'waiting', isHoldRead: true })
    }
    if (variant === 'given up by the own clock' && offer.page === 'open') yield move('give up the page', released)
    if (variant === 'open before the hold' && offer.catalog === 'started')
      yield move('place before the hold', { catalog: 'open' })
  }
  if (offer.line === 'held') yield* heldLine(state, at, variant)
  if (offer.line === 'released' && offer.hold === 'held' && offer.isHoldRead)
    yield move('cancel the hold', { hold: 'cancelled' })
  if (offer.isOutcomePublished && offer.line === 'authorised')
    yield offer.delivery === 'final'
      ? move('delivered', { line: 'delivered', isOutcomePublished: false })
      : move('undeliverable', { ...released, isOutcomePublished: false })
  if (offer.line === 'delivered')
    yield offer.hold === 'held'
      ? move('capture', { line: 'completed', hold: 'captured' })
      : move('write off', { line: 'written_off' })
}

/** Reads the hold, then requests the state of the offer from catalog, which a withdrawal ends unless it is accepted. */
function* heldLine(state: State, at: number, variant: Variant): Moves {
  const offer = state.offers[at]!
  const move = (name: string, changes: Partial<Offer>): Move<State> => ({
    name: `payments: ${name}`,
    by: 'system',
    to: withOffer(state, at, changes),
  })

  if (offer.hold === 'cancelled') {
    yield move('the hold is lost', { line: 'released', isReleasePublished: true })
    return
  }
  if (offer.isWithdrawalRequested && variant === 'withdrawn without catalog') {
    yield move('withdrawn', { line: 'released', isReleasePublished: true })
    return
  }
  const reached: Partial<Offer> =
    offer.isWithdrawalRequested && isUndecided(offer)
      ? ended(variant)
      : offer.catalog === 'started'
        ? { catalog: 'open' }
        : {}
  const verdict = reached.catalog ?? offer.catalog
  if (reached.catalog) yield move(`${verdict}, response lost`, reached)
  const decided: Partial<Offer> | undefined =
    verdict === 'accepted'
      ? { line: 'authorised', delivery: 'waiting' }
      : verdict === 'ended'
        ? { line: 'released' }
        : undefined
  if (!decided) return
  if (variant !== 'verdict only in an event') yield move(`${verdict}`, { ...reached, ...decided })
  else if (offer.isVerdictPublished) {
    yield move(`event of ${verdict}`, { ...decided, isVerdictPublished: false })
    yield { ...move('event lost', { isVerdictPublished: false }), by: 'environment' }
  }
}

/** As for a purchase. */
function* minting(state: State, at: number): Moves {
  const offer = state.offers[at]!
  const move = (name: string, changes: Partial<Offer>, from = state): Move<State> => ({
    name: `minting: ${name}`,
    by: 'system',
    to: withOffer(from, at, changes),
  })
  const failed: Partial<Offer> = { delivery: 'failed', isOutcomePublished: true }

  if (offer.delivery === 'waiting') {
    if (state.token === 'owner') yield move('sign', { delivery: 'signed' })
    else yield move('not the owner', failed)
    if (state.left.refusedDeliveries > 0)
      yield { ...move('refused', failed, without(state, 'refusedDeliveries')), by: 'environment' }
    if (offer.hold === 'cancelled' && offer.line === 'authorised')
      yield move('stop', { delivery: 'stopped', line: 'released', isReleasePublished: true })
  }
  if (offer.delivery === 'signed')
    yield state.token === 'owner'
      ? move('final', { delivery: 'final', isOutcomePublished: true }, { ...state, token: 'buyer' })
      : move('reverted', failed)
}

function* catalog(state: State, at: number, variant: Variant): Moves {
  const offer = state.offers[at]!
  const move = (name: string, changes: Partial<Offer>, from = state): Move<State> => ({
    name: `catalog: ${name}`,
    by: 'system',
    to: withOffer(from, at, changes),
  })

  if (isUndecided(offer)) yield move('declined, expired or hidden', ended(variant))
  if (offer.delivery === 'final' && offer.isReserved)
    yield move('sold', { isReserved: false }, endOthers(state, variant))
  if (!offer.isReleasePublished) return
  const consumed: Partial<Offer> = { isReleasePublished: false }
  if (offer.catalog === 'accepted')
    yield variant === 'a released order keeps the work'
      ? move('released, still reserved', consumed)
      : move('released after its acceptance', { ...consumed, catalog: 'ended', isReserved: false })
  else yield move('released', isUndecided(offer) ? { ...consumed, ...ended(variant) } : consumed)
}
