import { getExhibition, listExhibitions } from '@nifty/api/catalog/exhibitions'
import { useEndpoint } from '../api/use-endpoint.ts'

/** The exhibitions, or the series of an artist. */
export function useExhibitions(query: { artist?: string } = {}) {
  const { data, error, mutate } = useEndpoint(listExhibitions, { query })
  return { exhibitions: data?.exhibitions, error, reload: () => mutate() }
}

export function useExhibition(slug: string) {
  const { data, error, mutate } = useEndpoint(getExhibition, { params: { slug } })
  return { exhibition: data, error, reload: () => mutate() }
}
