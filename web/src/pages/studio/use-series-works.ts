import { listNftsById } from '@nifty/api/catalog/favourites'
import type { Nft } from '@nifty/api/catalog/public'
import { useState } from 'react'
import useSWR from 'swr'
import { type ApiError, request } from '../../api/api.ts'
import { marketLimit, useMarket } from '../../items/use-market.ts'
import { useHiddenItems } from '../../items/visibility/visibility.ts'

/** Works of one request by id: the most that the server takes. */
const perRequest = 48

/** `item` is absent for a work that another owner hides. */
export type SeriesWork = { id: string; item: Nft | undefined; hidden: boolean }

/**
 * The works that a series can have: first those of `saved` in their order, hidden ones too, then those that were chosen
 * on other pages, then a page of the artist's public works.
 */
export function useSeriesWorks(username: string, saved: string[]) {
  const [page, setPage] = useState(1)
  const [picked, setPicked] = useState<Nft[]>([])
  const market = useMarket({ creator: username, page })
  const own = useHiddenItems()
  const visible = useSWR<Nft[], ApiError>(saved.length > 0 && ['series works', ...saved], () => fetchItems(saved))

  const known = new Map([...own.items, ...(visible.data ?? [])].map((item) => [item._id, item]))
  const isVisible = (id: string) => visible.data?.some(({ _id }) => _id === id)
  const isOnPage = ({ _id }: Nft) => market.items.some((item) => item._id === _id)
  const others = [...picked.filter((item) => !isOnPage(item)), ...market.items]
  const works: SeriesWork[] = [
    ...saved.map((id) => ({ id, item: known.get(id), hidden: !isVisible(id) })),
    ...others.filter(({ _id }) => !saved.includes(_id)).map((item) => ({ id: item._id, item, hidden: false })),
  ]
  const error = market.error ?? visible.error ?? own.error
  const loading = market.loading || visible.isLoading
  return {
    works: loading || error ? [] : works,
    loading,
    error,
    page,
    pages: Math.ceil(market.total / marketLimit),
    setPage,
    /** Keeps the work in the list while other pages are shown. */
    keep: (item: Nft) =>
      setPicked((before) => (before.some(({ _id }) => _id === item._id) ? before : [...before, item])),
    retry: () => {
      market.retry()
      own.reload()
      void visible.mutate()
    },
  }
}

async function fetchItems(ids: string[]): Promise<Nft[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / perRequest) }, (_, part) =>
    ids.slice(part * perRequest, (part + 1) * perRequest),
  )
  const pages = await Promise.all(parts.map((part) => request(listNftsById, { query: { ids: part.join() } })))
  return pages.flatMap(({ nfts }) => nfts)
}
