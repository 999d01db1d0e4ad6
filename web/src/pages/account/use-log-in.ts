import type { SignedIn } from '@nifty/api/auth/account'
import { lockscreenLogin, login } from '@nifty/api/auth/public'
import { useCallback } from 'react'
import { deviceId } from '../../account/device-id.ts'
import { useClearPersonalData } from '../../account/use-log-out.ts'
import { send } from '../../api.ts'
import { startSession } from '../../session.ts'
import { keepStepUp } from '../../step-up/step-up.ts'

/** Logs in with e-mail and password. Returns the session, or the message to show. */
export function useLogIn() {
  const clear = useClearPersonalData()
  return useCallback(
    async (credentials: { email: string; password: string }): Promise<SignedIn | { problem: string }> => {
      const outcome = await send(login, { body: credentials, deviceId: deviceId() })
      if (!outcome.ok) {
        const { fromServer, message } = outcome.error
        return { problem: fromServer ? message : 'Something went wrong, please try again.' }
      }
      const { success, message } = outcome.data
      if (!success) return { problem: message || 'Login failed' }
      await clear()
      startSession(outcome.data)
      keepStepUp(outcome.data.stepUp, outcome.data.token)
      return outcome.data
    },
    [clear],
  )
}

/** Logs the last user in again by password. Returns the message to show after a failure. */
export function useUnlock() {
  const clear = useClearPersonalData()
  return useCallback(
    async (userId: string, password: string): Promise<string | undefined> => {
      const outcome = await send(lockscreenLogin, { body: { userId, password }, deviceId: deviceId() })
      if (!outcome.ok) return 'Incorrect password.'
      const { success, message } = outcome.data
      // With the trailing space in the specification.
      if (!success) return message || 'Error '
      await clear()
      startSession(outcome.data)
      keepStepUp(outcome.data.stepUp, outcome.data.token)
      return undefined
    },
    [clear],
  )
}
