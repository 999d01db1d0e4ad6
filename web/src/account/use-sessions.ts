import { endOtherSessions, endOwnSession, listOwnSessions } from '@nifty/api/auth/sessions'
import { send } from '../api/api.ts'
import { useEndpoint } from '../api/use-endpoint.ts'

/** The sessions of the account, and functions that log them out and reload the list. */
export function useSessions() {
  const { data, error, mutate } = useEndpoint(listOwnSessions, {})

  const end = async (id: string) => {
    const outcome = await send(endOwnSession, { params: { id } })
    await mutate()
    return outcome
  }
  const endOthers = async () => {
    const outcome = await send(endOtherSessions)
    await mutate()
    return outcome
  }

  return { sessions: data?.sessions, error, end, endOthers }
}
