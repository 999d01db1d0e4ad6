import { getNft, type NftDetail } from '@nifty/api/catalog/public'
import { useEffect } from 'react'
import { useEndpoint } from '../api/use-endpoint.ts'

/** Polling interval in milliseconds: shorter while the item is reserved. */
const refreshInterval = (item: NftDetail | undefined) => (item?.reserved ? 2_000 : 5_000)

export type ItemAddress = { username: string; contract: string; identifier: string }

/** One item, fetched fresh and polled while the page is open. */
export function useItem(params: ItemAddress) {
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
