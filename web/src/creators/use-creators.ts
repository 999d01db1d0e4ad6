import { listCreators } from '@nifty/api/catalog/creators'
import { useEndpoint } from '../api/use-endpoint.ts'

type Query = { sort?: 'best'; page?: number; limit: number }

const options = { revalidateOnFocus: false, keepPreviousData: true }

/** One page of the accounts that own items. `best`: by persons who bought of them, then by works they made. */
export function useCreators({ sort, page = 1, limit }: Query) {
  const query = { sort, page: page > 1 ? String(page) : undefined, limit: String(limit) }
  const { data, error, isLoading, mutate } = useEndpoint(listCreators, { query }, options)
  return {
    // Until the response arrives, `data` is that of the page before.
    creators: data?.page === page ? data.creators : [],
    total: data?.total ?? 0,
    lastPage: data ? Math.max(1, Math.ceil(data.total / data.limit)) : 1,
    error,
    loading: isLoading && !error,
    reload: () => mutate(),
  }
}
