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

/** Milliseconds between two requests while the page is visible. */
const refreshInterval = 10_000

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
