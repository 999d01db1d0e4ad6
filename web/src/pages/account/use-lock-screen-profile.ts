import type { LockScreenProfile } from '@nifty/api/auth/account'
import useSWR from 'swr'
import { type ApiError, request } from '../../api.ts'

/** Who was logged in last: avatar and name, nothing else, without a token. */
export function useLockScreenProfile(userId: string | null) {
  const { data, error } = useSWR<LockScreenProfile, ApiError>(
    // A key of its own: the settings ask the same path with the token and are told more.
    userId ? ['lock-screen', `/api/users/change/${encodeURIComponent(userId)}`] : null,
    ([, path]: [string, string]) => request<LockScreenProfile>(path),
    { revalidateOnFocus: false, shouldRetryOnError: false },
  )
  return { profile: data, error }
}
