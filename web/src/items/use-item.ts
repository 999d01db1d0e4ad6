import { getNft, type NftDetail } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { useEffect } from 'react'
import { useSWRConfig } from 'swr'
import { useEndpoint } from '../api/use-endpoint.ts'

/** Polling interval in milliseconds: shorter while somebody pays. A delivery takes up to a day. */
const intervalOf = (item: NftDetail | undefined) => (item?.reservedUntil ? 2_000 : 5_000)

export type ItemAddress = { username: string; contract: string; identifier: string }

type Polling = number | typeof intervalOf

/** One item, fetched fresh and polled while the page is open. `refreshInterval` in milliseconds. */
export function useItem(params: ItemAddress, { refreshInterval = intervalOf }: { refreshInterval?: Polling } = {}) {
  const { data, error, mutate } = useEndpoint(
    getNft,
    { params },
    { refreshInterval, dedupingInterval: 500, shouldRetryOnError: false },
  )

  // A malformed response counts as not found.
  const item = data?.history ? data : undefined

  // Refetches when the reservation expires.
  const until = item?.reservedUntil
  useEffect(() => {
    if (!until) return
    const timer = setTimeout(() => void mutate(), Math.max(0, Date.parse(until) - Date.now()) + 500)
    return () => clearTimeout(timer)
  }, [until, mutate])

  return { item, missing: !item && Boolean(error ?? data), loading: !data && !error, mutate }
}

/** Takes an item over for another URL of it, which needs no request then. */
export function useKeepItem() {
  const { mutate } = useSWRConfig()
  return (params: ItemAddress, item: NftDetail) => mutate(endpointUrl(getNft, { params }), item, { revalidate: false })
}
