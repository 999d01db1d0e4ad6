import { getMarket, listFeatured, listNftsOfUser, listTopItems, type Market, type Nft } from '@nifty/api/catalog/public'
import { type EndpointInput, endpointUrl } from '@nifty/api/endpoint'
import { useDeferredValue } from 'react'
import { useSWRConfig } from 'swr'
import type { ApiError } from '../api/api.ts'
import { isKeyOf, useEndpoint } from '../api/use-endpoint.ts'

/** Items per request, independent of the items per page. */
export const marketLimit = 200
/** Milliseconds that lists are cached. The item page and the purchase never use this cache. */
const cachedFor = 180_000

type Parameter = keyof NonNullable<EndpointInput<typeof getMarket>['query']>
/** Without `limit`: every request has 200 items, or as many as a section shows. */
export type MarketQuery = Partial<Record<Exclude<Parameter, 'page' | 'limit'>, string>> & {
  page?: number
  limit?: number
}

const options = {
  dedupingInterval: cachedFor,
  revalidateOnFocus: false,
  keepPreviousData: true,
}

/**
 * The market, newest listing first, 200 items per request. A malformed response counts as empty. `null` sends no
 * request.
 */
export function useMarket(asked: MarketQuery | null = {}) {
  const { page = 1, limit = marketLimit, ...chosen } = asked ?? {}
  // Without empty values, so that equal queries have equal keys.
  const filters = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value))
  const query = { page: String(page), limit: String(limit), ...filters }
  const { data, error, mutate, isLoading } = useEndpoint(getMarket, asked && { query }, options)
  const { cache } = useSWRConfig()
  const isPrevious = cache.get(endpointUrl(getMarket, { query }))?.data === undefined
  // `stale`: the items of another query are shown until the response arrives, or the request has failed.
  return {
    ...useDeferredMarket(error && isPrevious ? undefined : data, error),
    error,
    stale: isLoading,
    retry: () => void mutate(),
  }
}

/** "Top Items": items for sale of the best-selling creators. */
export const useTopItems = () => useList(listTopItems)

/** The works that the home page shows first. */
export const useFeatured = () => useList(listFeatured)

function useList(endpoint: typeof listTopItems | typeof listFeatured) {
  const { data, error } = useEndpoint(endpoint, {}, options)
  return { ...useDeferredMarket(data, error), error }
}

/** Renders the list at low priority, so that a slow phone stays responsive. */
function useDeferredMarket(data: unknown, error: ApiError | undefined) {
  const deferred = useDeferredValue(data)
  return { ...readMarket(deferred), loading: deferred === undefined && !error }
}

/** The items that a user owns. `refreshInterval` in milliseconds polls for new ones. */
export function useItemsOf(username: string, { refreshInterval = 0 } = {}) {
  const { data, error, isLoading, mutate } = useEndpoint(listNftsOfUser, username ? { params: { username } } : null, {
    refreshInterval,
  })
  const loading = isLoading && data === undefined && !error
  return { ...readMarket(data), error, loading, retry: () => void mutate() }
}

/**
 * The works of an artist that others bought here, last sale first: at most 200. Not those that the artist bought back.
 */
export function useSoldWorks(username: string) {
  const { items, ...rest } = useMarket({ creator: username, sort: 'recently_sold' })
  return { items: items.filter(({ ownerUsername }) => ownerUsername !== username), ...rest }
}

/** Invalidates cached lists after an item changed. */
export function useInvalidateMarket() {
  const { mutate } = useSWRConfig()
  return () =>
    mutate((key) => [getMarket, listFeatured, listTopItems, listNftsOfUser].some((list) => isKeyOf(list, key)))
}

/** The specification allows an object with `nfts` or a bare array; anything else is empty. */
function readMarket(data: unknown): { items: Nft[]; total: number; similar: boolean } {
  if (Array.isArray(data)) return { items: data, total: data.length, similar: false }
  const { nfts, total, similar = false } = (data ?? {}) as Partial<Market>
  if (!Array.isArray(nfts)) return { items: [], total: 0, similar: false }
  return { items: nfts, total: total ?? nfts.length, similar }
}
