import { getStatement } from '@nifty/api/payments/public'
import { useEndpoint } from '../api/use-endpoint.ts'

/**
 * The user's sales and royalties of a month (`YYYY-MM`, UTC), newest first; by default of the newest one with entries.
 */
export function useStatement(month?: string) {
  const { data, error, mutate } = useEndpoint(getStatement, { query: { month } }, { keepPreviousData: true })
  return { statement: data, error, reload: () => mutate() }
}
