import type { Creator } from '@nifty/api/catalog/public'
import useSWR from 'swr'
import { type ApiError, request, withQuery } from '../api.ts'

type Query = { sort?: 'best'; limit?: number }

/** Accounts that own works. `best`: by completed sales, then by works. */
export function useCreators(query: Query = {}) {
  const { data, error, isLoading, mutate } = useSWR<{ creators: Creator[] }, ApiError>(
    withQuery('/api/creators', query),
    request,
    {
      revalidateOnFocus: false,
    },
  )
  return { creators: data?.creators ?? [], error, loading: isLoading && !data && !error, reload: () => mutate() }
}
