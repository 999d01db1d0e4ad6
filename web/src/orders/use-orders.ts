import type { EndpointInput } from '@nifty/api/endpoint'
import { cancelOrder as cancelEndpoint, getOrder, listOrders, type Order } from '@nifty/api/payments/public'
import { useState } from 'react'
import { send } from '../api/api.ts'
import { useSession } from '../api/session.ts'
import { useEndpoint } from '../api/use-endpoint.ts'
import { isFinal } from './order.ts'

/** Milliseconds between two polls: a payment is seen soon, and a delivery takes a minute or more until it is final. */
const pollIntervals = { first: 1_500, later: 5_000 }
const FIRST_MS = 15_000
/** The API lists at most this many orders. */
export const maxListedOrders = 200

function intervalOf() {
  let seen = { states: '', at: 0 }
  return (order: Order | undefined) => {
    if (order && isFinal(order)) return 0
    const states = order ? order.lines.map(({ state }) => state).join() : ''
    if (states !== seen.states) seen = { states, at: performance.now() }
    return performance.now() - seen.at < FIRST_MS ? pollIntervals.first : pollIntervals.later
  }
}

/** One order, polled until it is in a final state: every 1.5 s for 15 s and after each change, then every 5 s. */
export function useOrder(id: string | null) {
  const { token } = useSession()
  // One function for all renders: SWR starts its timer again when it gets another one.
  const [refreshInterval] = useState(intervalOf)
  const { data, error, mutate } = useEndpoint(getOrder, id && token ? { params: { id } } : null, {
    refreshInterval,
    dedupingInterval: 500,
  })
  return { order: data, error, mutate }
}

/** The user's orders, newest first: purchases, accepted offers and bids that won. */
export const useOrders = ({ enabled = true }: { enabled?: boolean } = {}) => useList(enabled, {})

/** The user's offers and bids in all states, newest first. */
export const useOffers = ({ enabled = true }: { enabled?: boolean } = {}) =>
  useList(enabled, { query: { kind: 'offers' } })

function useList(enabled: boolean, input: EndpointInput<typeof listOrders>) {
  const { token } = useSession()
  const { data, error, mutate } = useEndpoint(listOrders, enabled && token ? input : null)
  return { orders: data?.orders ?? [], loading: enabled && Boolean(token) && !data && !error, error, mutate }
}

/** Cancels an order or withdraws an offer. 409 with the reason once its delivery is signed, or the offer accepted. */
export const cancelOrder = (id: string) => send(cancelEndpoint, { params: { id } })
