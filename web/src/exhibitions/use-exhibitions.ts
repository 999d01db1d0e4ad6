import { getExhibition, listExhibitions } from '@nifty/api/catalog/exhibitions'
import { useEndpoint } from '../api/use-endpoint.ts'

type Query = { artist?: string; page?: number; limit?: number }

/** A page of the exhibitions, or of the series of an artist. Without `limit` 200. */
export function useExhibitions({ artist, page = 1, limit }: Query = {}) {
  const query = { artist, page: page > 1 ? String(page) : undefined, limit: limit?.toString() }
  const { data, error, mutate } = useEndpoint(listExhibitions, { query })
  return {
    exhibitions: data?.exhibitions,
    total: data?.total ?? 0,
    lastPage: data?.total ? Math.ceil(data.total / data.limit) : 1,
    error,
    reload: () => mutate(),
  }
}

export function useExhibition(slug: string) {
  const { data, error, mutate } = useEndpoint(getExhibition, { params: { slug } })
  return { exhibition: data, error, reload: () => mutate() }
}
