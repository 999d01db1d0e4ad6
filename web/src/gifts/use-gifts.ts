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
import { send } from '../api/api.ts'
import { useSession } from '../api/session.ts'
import { useEndpoint } from '../api/use-endpoint.ts'

/** Milliseconds between two polls: of a claim, whose block takes a minute or more, and of a gift that waits. */
const pollIntervals = { claiming: 2_000, waiting: 30_000 }

const intervalOf = ({ state }: Pick<Gift, 'state'>) => {
  if (state === 'claiming') return pollIntervals.claiming
  return state === 'bought' || state === 'offered' ? pollIntervals.waiting : 0
}

/** Gifts from and to the user, newest first, polled while one can change. */
export function useGifts({ enabled = true }: { enabled?: boolean } = {}) {
  const { token } = useSession()
  const { data, mutate } = useEndpoint(listGifts, enabled && token ? {} : null, {
    refreshInterval: (list) => Math.min(...(list?.gifts ?? []).map(intervalOf).filter(Boolean), 3_600_000),
  })
  return { gifts: data?.gifts ?? [], reload: () => mutate() }
}

/** A gift from or to the user, polled until its claim is final. */
export function useGift(id: string | undefined) {
  const { token } = useSession()
  const { data } = useEndpoint(getGift, id && token ? { params: { id } } : null, {
    refreshInterval: (gift) => (gift ? intervalOf(gift) : pollIntervals.claiming),
  })
  return data
}

export const openGift = (token: string) => send(openEndpoint, { body: { token } })
export const claimGift = (token: string) => send(claimEndpoint, { body: { token } })
export const takeBackGift = (id: string) => send(takeBackEndpoint, { params: { id } })
export const readdressGift = (id: string, email: string) => send(readdressEndpoint, { params: { id }, body: { email } })

type Given = { contract: string; identifier: string; email: string; text: string }
export const giveWork = (body: Given) => send(giveEndpoint, { body })
