import type { Market, Nft } from '@nifty/api/catalog/public'
import { useDeferredValue } from 'react'
import useSWR, { useSWRConfig } from 'swr'
import { type ApiError, request, withQuery } from '../api.ts'

/** One fetch brings this many, whatever the page shows of them. */
export const marketLimit = 200
/** A card may be this stale. The item page and the purchase never are. */
const cachedFor = 180_000

export type MarketQuery = { search?: string; category?: string; buyOption?: 'now'; page?: number }

const marketPath = '/api/nfts/market'

const asked = {
  dedupingInterval: cachedFor,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  keepPreviousData: true,
}

/** What is in the store, newest listing first, in chunks of 200. Anything but a market answer counts as empty. */
export function useMarket({ page = 1, ...query }: MarketQuery = {}) {
  const { data, error, mutate } = useSWR<unknown, ApiError>(
    withQuery(marketPath, { page, limit: marketLimit, ...query }),
    request,
    asked,
  )
  return { ...useDeferredMarket(data, error), error, retry: () => void mutate() }
}

/** "Top Items": works for sale of the creators who sold most. */
export function useTopItems() {
  const { data, error } = useSWR<unknown, ApiError>('/api/nfts/top-items', request, asked)
  return { ...useDeferredMarket(data, error), error }
}

/** Renders the list at low priority, so that a slow phone stays responsive. */
function useDeferredMarket(data: unknown, error: ApiError | undefined) {
  const deferred = useDeferredValue(data)
  return { ...readMarket(deferred), loading: deferred === undefined && !error }
}

/** `refreshInterval`: milliseconds, while something is about to appear among them. */
export function useItemsOf(username: string, { refreshInterval = 0 } = {}) {
  const { data, error, isLoading } = useSWR<unknown, ApiError>(
    username ? `/api/nfts/user/${encodeURIComponent(username)}` : null,
    request,
    { refreshInterval: refreshInterval },
  )
  return { ...readMarket(data), error, loading: isLoading && data === undefined && !error }
}

/** Lists that were kept may show an old price: they are asked for again when they are next looked at. */
export function useInvalidateMarket() {
  const { mutate } = useSWRConfig()
  return () => mutate((key) => typeof key === 'string' && /^\/api\/nfts\/(market|top-items|user)/.test(key))
}

function readMarket(answer: unknown): { items: Nft[]; total: number } {
  if (Array.isArray(answer)) return { items: answer, total: answer.length }
  const { nfts, total } = (answer ?? {}) as Partial<Market>
  if (!Array.isArray(nfts)) return { items: [], total: 0 }
  return { items: nfts, total: total ?? nfts.length }
}
