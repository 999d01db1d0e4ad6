import { logout } from '@nifty/api/auth/public'
import { getMarket } from '@nifty/api/catalog/public'
import { getFrontEndConfig } from '@nifty/api/gateway'
import { useCallback } from 'react'
import { useSWRConfig } from 'swr'
import { send } from '../../api/api.ts'
import { forgetReturn } from '../../api/return-to.ts'
import { endSession } from '../../api/session.ts'
import { isKeyOf } from '../../api/use-endpoint.ts'
import { forgetGiftDrafts } from '../../gifts/gift-draft.ts'

/** Ends the session in the browser and on the server, and clears cached personal data. */
export function useLogOut() {
  const clear = useClearPersonalData()
  return useCallback(async () => {
    // Sent first: the request needs the token.
    const response = send(logout, { timeoutMs: 5_000 })
    endSession()
    await clear()
    // After the pages that were open have seen the end of the session.
    forgetReturn()
    forgetGiftDrafts()
    await response
  }, [clear])
}

/** The same for every account. SWR drops a response that arrives after its key was cleared. */
const sharedByAccounts = [getMarket, getFrontEndConfig]

/** Clears the cache of personal data, so that the next account sees none of the previous one. */
export function useClearPersonalData() {
  const { mutate } = useSWRConfig()
  return useCallback(
    () =>
      mutate(
        (key) => typeof key === 'string' && !sharedByAccounts.some((endpoint) => isKeyOf(endpoint, key)),
        undefined,
        { revalidate: false },
      ),
    [mutate],
  )
}
