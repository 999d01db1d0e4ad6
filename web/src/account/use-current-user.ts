import type { CurrentUser } from '@nifty/api/auth/account'
import useSWR from 'swr'
import { type ApiError, requestWithToken } from '../api.ts'
import { useSession } from '../session.ts'

export const currentUserPath = '/api/auth/user'

type Reading = {
  user: CurrentUser | undefined
  /** True until we know whether somebody is logged in. */
  loading: boolean
  reload: () => Promise<unknown>
}

/** Who is logged in. Without a token nobody is asked; a failure means logged out as well. */
export function useCurrentUser(): Reading {
  const { token } = useSession()
  const { data, error, mutate } = useSWR<{ user: CurrentUser } | CurrentUser, ApiError>(
    token ? currentUserPath : null,
    requestWithToken,
    // No fetcher result of an earlier account is ever shown: see forgetPersonal.
    { shouldRetryOnError: false },
  )
  const user = token && data && !error ? ('user' in data ? data.user : data) : undefined
  return { user, loading: Boolean(token) && !data && !error, reload: () => mutate() }
}
