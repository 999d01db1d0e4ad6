import { cancelOrder as cancelEndpoint, getOrder, listOrders } from '@nifty/api/payments/public'
import { send } from '../api.ts'
import { useSession } from '../session.ts'
import { useEndpoint } from '../use-endpoint.ts'
import { isFinal } from './order.ts'

/** Milliseconds between two polls. */
const pollInterval = 1_500
/** The API lists at most this many orders. */
export const maxListedOrders = 200

/** One order, polled every 1.5 s until it is in a final state. */
export function useOrder(id: string | null) {
  const { token } = useSession()
  const { data, error, mutate } = useEndpoint(getOrder, id && token ? { params: { id } } : null, {
    refreshInterval: (order) => (order && isFinal(order) ? 0 : pollInterval),
    dedupingInterval: 500,
  })
  return { order: data, error, mutate }
}

/** The user's orders, newest first. */
export function useOrders({ enabled = true }: { enabled?: boolean } = {}) {
  const { token } = useSession()
  const { data, error, mutate } = useEndpoint(listOrders, enabled && token ? {} : null)
  return { orders: data?.orders ?? [], loading: Boolean(token) && !data && !error, error, mutate }
}

/** Cancels an order. 409 with the reason once its delivery is signed. */
export const cancelOrder = (id: string) => send(cancelEndpoint, { params: { id } })
