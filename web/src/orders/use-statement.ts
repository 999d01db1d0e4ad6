import { getStatement, listStatementEntries } from '@nifty/api/payments/public'
import { useEndpoint } from '../api/use-endpoint.ts'

/** Milliseconds between two requests while the page is visible: a sale is booked some time after its delivery. */
const refreshInterval = 30_000

/**
 * The user's sums, and the newest sales and royalties of a month (`YYYY-MM`, UTC); by default of the newest one with
 * entries.
 */
export function useStatement(month?: string) {
  const { data, error, mutate } = useEndpoint(
    getStatement,
    { query: { month } },
    { keepPreviousData: true, refreshInterval },
  )
  return { statement: data, error, reload: () => mutate() }
}

/** The page of a month's entries behind `after`, which is `next` of the page before; without one no request is sent. */
export function useStatementPage(month: string | null, after: string | undefined) {
  const input = month && after ? { query: { month, after } } : null
  const { data, error, mutate } = useEndpoint(listStatementEntries, input)
  return { entries: data, error, reload: () => mutate() }
}
