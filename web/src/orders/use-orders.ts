import type { Order } from '@nifty/api/payments/public'
import useSWR from 'swr'
import { type ApiError, requestWithToken, send } from '../api.ts'
import { useSession } from '../session.ts'
import { isOver } from './order.ts'

const refreshInterval = 1_500
/** So many the store lists at most. */
export const mostOrders = 200

const orderPath = (id: string) => `/api/orders/${encodeURIComponent(id)}`

/** One purchase, looked at every 1.5 s until nothing more can happen to it. */
export function useOrder(id: string | null) {
  const { token } = useSession()
  const { data, error, mutate } = useSWR<Order, ApiError>(id && token ? orderPath(id) : null, requestWithToken, {
    refreshInterval: (order) => (order && isOver(order) ? 0 : refreshInterval),
    dedupingInterval: 500,
  })
  return { order: data, error, mutate }
}

/** Every purchase of whoever is logged in, newest first. */
export function useOrders({ when = true }: { when?: boolean } = {}) {
  const { token } = useSession()
  const { data, error, mutate } = useSWR<{ orders: Order[] }, ApiError>(
    when && token ? '/api/orders' : null,
    requestWithToken,
  )
  return { orders: data?.orders ?? [], loading: Boolean(token) && !data && !error, error, mutate }
}

/** Possible until the delivery is signed; afterwards the answer is a 409 with the reason. */
export const cancelOrder = (id: string) => send<Order>(`${orderPath(id)}/cancel`, { withToken: true })
