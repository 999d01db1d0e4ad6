import type { NftDetail } from '@nifty/api/catalog/public'
import { useEffect } from 'react'
import useSWR from 'swr'
import { type ApiError, request } from '../api.ts'

/** How often the page looks whether something changed: sooner while somebody is paying. */
const refreshInterval = (item: NftDetail | undefined) => (item?.reserved ? 2_000 : 5_000)

export type ItemAddress = { username: string; contract: string; identifier: string }

/** One work as it is now. Never from a list's cache, and looked at again while the page is open. */
export function useItem({ username, contract, identifier }: ItemAddress) {
  const path = `/api/nfts/${encodeURIComponent(username)}/${encodeURIComponent(contract)}/${encodeURIComponent(identifier)}`
  const { data, error, mutate } = useSWR<NftDetail, ApiError>(path, request, {
    refreshInterval: refreshInterval,
    dedupingInterval: 500,
    shouldRetryOnError: false,
  })

  // Anything but a work counts as none.
  const item = data?.history ? data : undefined

  // The hold of whoever is paying runs out at a known moment: the truth is asked for right then.
  const until = item?.reservedUntil
  useEffect(() => {
    if (!until) return
    const timer = setTimeout(() => void mutate(), Math.max(0, Date.parse(until) - Date.now()) + 500)
    return () => clearTimeout(timer)
  }, [until, mutate])

  return { item, missing: !item && Boolean(error ?? data), loading: !data && !error, mutate }
}
