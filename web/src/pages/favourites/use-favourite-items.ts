import { listNftsById } from '@nifty/api/catalog/favourites'
import { useEndpoint } from '../../api/use-endpoint.ts'

/** The works with these ids, without hidden ones. No ids send no request. */
export function useFavouriteItems(ids: readonly string[]) {
  const query = { ids: ids.join() }
  const { data, error, mutate } = useEndpoint(listNftsById, ids.length > 0 ? { query } : null, {
    keepPreviousData: true,
  })
  // What was removed a moment ago goes at once, before the response about the rest arrives.
  const items = (data?.nfts ?? []).filter(({ _id }) => ids.includes(_id))
  return { items, error, loading: ids.length > 0 && !data && !error, reload: () => mutate() }
}
