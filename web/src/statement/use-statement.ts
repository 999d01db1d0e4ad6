import type { Statement } from '@nifty/api/payments'
import useSWR from 'swr'
import { type ApiError, requestAsUser } from '../api.ts'

/** What the reader's works have brought, newest first. */
export function useStatement() {
  const { data, error, mutate } = useSWR<Statement, ApiError>('/api/orders/statement', requestAsUser)
  return { statement: data, error, reload: () => mutate() }
}
