import type { Statement } from '@nifty/api/payments/public'
import useSWR from 'swr'
import { type ApiError, requestWithToken } from '../api.ts'

/** What the reader's works have brought, newest first. */
export function useStatement() {
  const { data, error, mutate } = useSWR<Statement, ApiError>('/api/orders/statement', requestWithToken)
  return { statement: data, error, reload: () => mutate() }
}
