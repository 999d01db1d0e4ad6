import type { CurrentUser } from '@nifty/api/auth/account'
import { getCurrentUser } from '@nifty/api/auth/public'
import { useSession } from '../api/session.ts'
import { useEndpoint } from '../api/use-endpoint.ts'

/**
 * The user of the session. Without a token no request is sent; a failed request counts as logged out. A request without
 * a response keeps the user who is known: a lost connection leaves pages, menu and forms as they are. Another account's
 * cached user is never returned: `useClearPersonalData` empties the cache at log-in and log-out.
 */
export function useCurrentUser() {
  const { token } = useSession()
  const { data, error, mutate } = useEndpoint(getCurrentUser, token ? {} : null, { shouldRetryOnError: false })
  // As specified: the user, or an object with the user.
  const user =
    token && data && !(error && error.status > 0) ? ('user' in data ? data.user : (data as CurrentUser)) : undefined
  return {
    user,
    /** True while a session's user is being fetched. */
    loading: Boolean(token) && !data && !error,
    reload: () => mutate(),
  }
}
