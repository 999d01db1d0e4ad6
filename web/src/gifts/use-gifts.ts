import {
  claimGift as claimEndpoint,
  type Gift,
  getGift,
  giveWork as giveEndpoint,
  listGifts,
  openGift as openEndpoint,
  readdressGift as readdressEndpoint,
  takeBackGift as takeBackEndpoint,
} from '@nifty/api/minting/gifts'
import type { Order } from '@nifty/api/payments/public'
import { send } from '../api/api.ts'
import { useSession } from '../api/session.ts'
import { useEndpoint } from '../api/use-endpoint.ts'

/**
 * Milliseconds between two polls: of a purchase and a claim, which end within a minute or two, of an order that has no
 * gift yet, and of a gift that waits for its recipient or whose link waits.
 */
const pollIntervals = { soon: 2_000, missing: 5_000, waiting: 30_000, never: 0 }

const intervalOf = ({ state, waitsFor }: Pick<Gift, 'state' | 'waitsFor'>) => {
  if (state === 'claiming' || (state === 'bought' && waitsFor === null)) return pollIntervals.soon
  return state === 'bought' || state === 'offered' ? pollIntervals.waiting : pollIntervals.never
}

/**
 * Gifts from and to the user, newest first, polled while one can change. `orderId`: of an order whose gift exists once
 * its card is held.
 */
export function useGifts({ enabled = true, orderId }: { enabled?: boolean; orderId?: string } = {}) {
  const { token } = useSession()
  const request = orderId === undefined ? {} : { query: { orderId } }
  const { data, mutate } = useEndpoint(listGifts, enabled && token ? request : null, {
    refreshInterval: (list) => {
      const gifts = list?.gifts ?? []
      if (orderId !== undefined && !gifts.some((gift) => gift.orderId === orderId)) return pollIntervals.missing
      const intervals = gifts.map(intervalOf).filter((interval) => interval !== pollIntervals.never)
      return intervals.length > 0 ? Math.min(...intervals) : pollIntervals.never
    },
  })
  return { gifts: data?.gifts ?? [], reload: () => mutate() }
}

type Work = { contract: string; identifier: string }

/** Whether the user gives, or gave, this work with a gift. */
const isGiftOf =
  ({ contract, identifier }: Work) =>
  (gift: Gift) =>
    gift.role === 'giver' && gift.contract === contract && gift.identifier === identifier

/** The gift of a work that waits for its recipient, or is on its way to them. */
export const waitingGiftOf = (gifts: Gift[], work: Work) =>
  gifts.filter(isGiftOf(work)).find(({ state }) => state === 'bought' || state === 'offered' || state === 'claiming')

/** The newest gift of a bought work: the one that it was bought for, or one that it was given as afterwards. */
export const giftOfLine = (gifts: Gift[], order: Pick<Order, '_id' | 'createdAt'>, line: Work): Gift | undefined =>
  gifts
    .filter(isGiftOf(line))
    .find(({ orderId, createdAt }) =>
      orderId === null ? Date.parse(createdAt) >= Date.parse(order.createdAt) : orderId === order._id,
    )

/**
 * Returns a function from a line of the user's order to its gift, which exists once the card is held. Requests nothing
 * for orders into a wallet.
 */
export function useGiftOf(order: Pick<Order, '_id' | 'state' | 'isGift' | 'wallet' | 'createdAt'> | undefined) {
  const enabled = order !== undefined && order.wallet === null && order.state !== 'released'
  const { gifts, reload } = useGifts(enabled && order.isGift ? { orderId: order._id } : { enabled })
  const giftOf = (line: Work) => (enabled ? giftOfLine(gifts, order, line) : undefined)
  return { giftOf, reload }
}

/** A gift from or to the user, polled until its claim is final. `isGone`: a claim failed, and it is not the user’s. */
export function useGift(id: string) {
  const { token } = useSession()
  const { data, error } = useEndpoint(getGift, token ? { params: { id } } : null, {
    refreshInterval: (gift) => (gift ? intervalOf(gift) : pollIntervals.soon),
  })
  return { gift: data, isGone: error?.status === 404 }
}

export const openGift = (token: string) => send(openEndpoint, { body: { token } })
export const claimGift = (token: string) => send(claimEndpoint, { body: { token } })
export const takeBackGift = (id: string) => send(takeBackEndpoint, { params: { id } })
export const readdressGift = (id: string, email: string) => send(readdressEndpoint, { params: { id }, body: { email } })

type Given = { contract: string; identifier: string; email: string; text: string }
export const giveWork = (body: Given) => send(giveEndpoint, { body })
