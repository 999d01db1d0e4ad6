import { listCreators } from '@nifty/api/catalog/public'
import { useEndpoint } from '../use-endpoint.ts'

type Query = { sort?: 'best'; limit?: string }

/** Accounts that own items. `best`: by completed sales, then by works they made. */
export function useCreators(query: Query = {}) {
  const { data, error, isLoading, mutate } = useEndpoint(listCreators, { query }, { revalidateOnFocus: false })
  return { creators: data?.creators ?? [], error, loading: isLoading && !data && !error, reload: () => mutate() }
}
