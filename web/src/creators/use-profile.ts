import { getPublicProfile } from '@nifty/api/auth/public'
import { useEndpoint } from '../api/use-endpoint.ts'

/** The public profile of an account. */
export function useProfile(username: string) {
  const { data, error, mutate } = useEndpoint(getPublicProfile, { params: { username } }, { revalidateOnFocus: false })
  return { profile: data, error, loading: !data && !error, reload: () => mutate() }
}
