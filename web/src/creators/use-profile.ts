import type { PublicProfile } from '@nifty/api/auth/account'
import useSWR from 'swr'
import { type ApiError, request } from '../api.ts'

/** What everybody may know of an account. */
export function useProfile(username: string) {
  const { data, error, mutate } = useSWR<PublicProfile, ApiError>(
    `/api/users/profile/${encodeURIComponent(username)}`,
    request,
    { revalidateOnFocus: false },
  )
  return { profile: data, error, loading: !data && !error, reload: () => mutate() }
}
