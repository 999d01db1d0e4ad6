import { getProfile } from '@nifty/api/auth/public'
import useSWR from 'swr'
import { type ApiError, request } from '../../api/api.ts'

/** Avatar and name of the last user; public, so without a token. */
export function useLockScreenProfile(userId: string | null) {
  const { data, error } = useSWR(
    // Not the URL: with a token the same URL returns the whole profile.
    userId ? ['lock-screen', userId] : null,
    ([, id]: [string, string]) => request(getProfile, { params: { id } }),
    { revalidateOnFocus: false, shouldRetryOnError: false },
  )
  return { profile: data, error: error as ApiError | undefined }
}
