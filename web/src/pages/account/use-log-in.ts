import type { SignedIn } from '@nifty/api/auth/account'
import { useCallback } from 'react'
import { useClearPersonalData } from '../../account/use-log-out.ts'
import { send } from '../../api.ts'
import { startSession } from '../../session.ts'

type Refusal = { success: false; message?: string }

/** Logs in with e-mail and password. Answers the session, or what to say. */
export function useLogIn() {
  const forget = useClearPersonalData()
  return useCallback(
    async (credentials: { email: string; password: string }): Promise<SignedIn | { problem: string }> => {
      const outcome = await send<SignedIn | Refusal>('/api/auth/login', { body: credentials })
      if (!outcome.ok) {
        const { fromServer, message } = outcome.error
        return { problem: fromServer ? message : 'Something went wrong, please try again.' }
      }
      if (!outcome.data.success) return { problem: outcome.data.message || 'Login failed' }
      await forget()
      startSession(outcome.data)
      return outcome.data
    },
    [forget],
  )
}

/** The same person again, by password alone. */
export function useUnlock() {
  const forget = useClearPersonalData()
  return useCallback(
    async (userId: string, password: string): Promise<{ problem: string } | undefined> => {
      const outcome = await send<SignedIn | Refusal>('/api/auth/lockscreen-login', { body: { userId, password } })
      if (!outcome.ok) return { problem: 'Incorrect password.' }
      if (!outcome.data.success) return { problem: outcome.data.message || 'Error ' }
      await forget()
      startSession(outcome.data)
      return undefined
    },
    [forget],
  )
}
