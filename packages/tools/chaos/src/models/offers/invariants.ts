import type { Offer, State } from './state.ts'

const isPastAcceptance = ({ line }: Offer) =>
  line === 'authorised' || line === 'delivered' || line === 'completed' || line === 'written_off'
const atMostOne = (many: unknown[]) => many.length <= 1

/** What each state fulfils. */
const invariants = {
  'an order is authorised once its offer is accepted': ({ offers }) =>
    offers.every((offer) => offer.catalog === 'accepted' || !isPastAcceptance(offer)),
  'an offer is open, or accepted, once its card was held': ({ offers }) =>
    offers.every(({ catalog, hold }) => hold !== 'none' || (catalog !== 'open' && catalog !== 'accepted')),
  'the card of a decided sale is charged, or the bank or the chain prevented it': ({ offers }) =>
    offers.every(
      ({ catalog, line, hold, delivery }) =>
        !(catalog === 'accepted' && line === 'released' && hold === 'held' && delivery !== 'failed'),
    ),
  'one order is authorised': ({ offers }) =>
    atMostOne(offers.filter((offer) => isPastAcceptance(offer) && offer.delivery !== 'failed')),
  'the work is reserved once': ({ isBeingBought, offers }) =>
    atMostOne([...offers.filter(({ isReserved }) => isReserved), ...(isBeingBought ? ['purchase'] : [])]),
  'the work is reserved for an accepted offer': ({ offers }) =>
    offers.every(({ isReserved, catalog }) => !isReserved || catalog === 'accepted'),
  'a card is charged once its work is delivered': ({ offers }) =>
    offers.every(({ hold, delivery }) => hold !== 'captured' || delivery === 'final'),
  'an offer that ended keeps no reservation and no charge': ({ offers }) =>
    offers.every(({ catalog, hold, isReserved }) => catalog !== 'ended' || (hold !== 'captured' && !isReserved)),
} satisfies Record<string, (state: State) => boolean>

export type Invariant = keyof typeof invariants

export const violationsOf = (state: State): string[] =>
  Object.entries(invariants).flatMap(([invariant, holds]) => (holds(state) ? [] : [invariant]))

/** No page is open, no card is held, nothing is reserved, no offer waits, every event is consumed. */
export const isOver = ({ isBeingBought, offers }: State) =>
  !isBeingBought &&
  offers.every(
    (offer) =>
      (offer.catalog === 'none' || offer.catalog === 'accepted' || offer.catalog === 'ended') &&
      (offer.line === 'none' ||
        offer.line === 'completed' ||
        offer.line === 'written_off' ||
        offer.line === 'released') &&
      offer.page !== 'open' &&
      offer.hold !== 'held' &&
      !offer.isReserved &&
      !offer.isReleasePublished,
  )
