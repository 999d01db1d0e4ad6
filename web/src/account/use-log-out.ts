import { useCallback } from 'react'
import { useSWRConfig } from 'swr'
import { send } from '../api.ts'
import { endSession } from '../session.ts'

/** Ends the session here and on the server, and forgets what only its owner could read. */
export function useLogOut() {
  const forget = useClearPersonalData()
  return useCallback(async () => {
    const ended = send('/api/auth/logout', { withToken: true, timeoutMs: 5_000 })
    endSession()
    await forget()
    await ended
  }, [forget])
}

/** Empties the cache, so that the next account never sees a moment of the last one. */
export function useClearPersonalData() {
  const { mutate } = useSWRConfig()
  return useCallback(
    () =>
      mutate((key) => typeof key === 'string' && !key.startsWith('/api/nfts/market'), undefined, { revalidate: false }),
    [mutate],
  )
}
