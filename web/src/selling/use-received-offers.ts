import {
  acceptOffer as acceptEndpoint,
  declineOffer as declineEndpoint,
  listReceivedOffers,
  type ReceivedOffer,
  setOfferMinimum as setMinimumEndpoint,
} from '@nifty/api/catalog/offers'
import type { NftDetail } from '@nifty/api/catalog/public'
import { send } from '../api/api.ts'
import { useEndpoint } from '../api/use-endpoint.ts'

/**
 * Milliseconds between two requests while the page is visible; fewer while a work is reserved for a purchase, as in the
 * owner's dialog for it. For an accepted offer it is reserved until its delivery, which takes up to a day.
 */
export function refreshInterval(list: { offers: Pick<ReceivedOffer, 'itemId' | 'state' | 'reserved'>[] } | undefined) {
  const offers = list?.offers ?? []
  const accepted = new Set(offers.filter(({ state }) => state === 'accepted').map(({ itemId }) => itemId))
  return offers.some(({ itemId, reserved }) => reserved && !accepted.has(itemId)) ? 5_000 : 10_000
}

type Decided = Pick<ReceivedOffer, 'orderId' | 'state'>

/** Whether an accepted offer has left the list: its work has been delivered, or could not be. */
export const acceptedHasLeft = (before: Decided[], now: Decided[]) =>
  before.some(({ orderId, state }) => state === 'accepted' && !now.some((offer) => offer.orderId === orderId))

/** The offers for the works of a seller, by work, the highest first. */
export function useReceivedOffers() {
  const { data, error, mutate } = useEndpoint(listReceivedOffers, {}, { refreshInterval })
  return { offers: data?.offers ?? [], loading: !data && !error, error, reload: () => mutate() }
}

/** Also checks whether the work can be delivered. */
const timeoutMs = 40_000

export const acceptOffer = ({ orderId }: Pick<ReceivedOffer, 'orderId'>) =>
  send(acceptEndpoint, { params: { orderId }, timeoutMs })

export const declineOffer = ({ orderId }: Pick<ReceivedOffer, 'orderId'>) =>
  send(declineEndpoint, { params: { orderId } })

/** `minimum` in euros; null: no offers. */
export const setOfferMinimum = ({ contract, identifier }: NftDetail, minimum: number | null) =>
  send(setMinimumEndpoint, { params: { contract, identifier }, body: { minimum } })
