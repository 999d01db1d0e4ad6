import { getStatement } from '@nifty/api/payments/public'
import { useEndpoint } from '../use-endpoint.ts'

/** The user's sales and royalties, newest first. */
export function useStatement() {
  const { data, error, mutate } = useEndpoint(getStatement, {})
  return { statement: data, error, reload: () => mutate() }
}
