import type { SignedIn } from '@nifty/api/auth/account'
import { loginWithPasskey, startPasskeyLogin } from '@nifty/api/auth/passkeys'
import { lockscreenLogin, login } from '@nifty/api/auth/public'
import { loginWithSecondFactor } from '@nifty/api/auth/second-factor'
import { useCallback } from 'react'
import { loadPasskeyDevice, passkeyCodeMissing } from '../../account/load-passkey-device.ts'
import { useClearPersonalData } from '../../account/profile/use-log-out.ts'
import { send } from '../../api/api.ts'
import { isLive, startSession } from '../../api/session.ts'
import { keepStepUp } from '../../api/step-up.ts'
import { toast } from '../../ui/toast.tsx'
import { deviceId } from './device-id.ts'

/** By it a token that was just issued has expired: guarded pages lead to the lock screen again and again. */
const wrongClock = 'The clock of your device seems wrong. Please set it: until then you are asked to log in again.'

/** The password was right; the second factor is awaited. */
type Challenged = { challenge: string }

/** Starts the session that a log-in returned. */
function useStart() {
  const clear = useClearPersonalData()
  return useCallback(
    async (signedIn: SignedIn) => {
      await clear()
      startSession(signedIn)
      keepStepUp(signedIn.stepUp, signedIn.token)
      if (!isLive(signedIn.token, Date.now())) toast.error(wrongClock)
      return signedIn
    },
    [clear],
  )
}

/** Logs in with e-mail and password. Returns the session, the challenge of a second factor, or the message to show. */
export function useLogIn() {
  const start = useStart()
  return useCallback(
    async (credentials: { email: string; password: string }): Promise<SignedIn | Challenged | { problem: string }> => {
      const outcome = await send(login, { body: credentials, deviceId: deviceId() })
      if (!outcome.ok) {
        const { fromServer, message } = outcome.error
        return { problem: fromServer ? message : 'Something went wrong, please try again.' }
      }
      if (outcome.data.success) return start(outcome.data)
      const { message, challenge } = outcome.data
      return challenge ? { challenge } : { problem: message || 'Login failed' }
    },
    [start],
  )
}

/** Logs in with a passkey that the browser offers. Returns the session, or the message to show. */
export function useLogInByPasskey() {
  const start = useStart()
  return useCallback(async (): Promise<SignedIn | { problem: string }> => {
    const started = await send(startPasskeyLogin)
    if (!started.ok) return { problem: started.error.message }
    const device = await loadPasskeyDevice()
    if (!device) return { problem: passkeyCodeMissing }
    const signed = await device.signWithPasskey(started.data.options)
    if ('problem' in signed) return signed
    const outcome = await send(loginWithPasskey, { body: signed, deviceId: deviceId() })
    return outcome.ok ? start(outcome.data) : { problem: outcome.error.message }
  }, [start])
}

/** Logs the last user in again by password. Returns undefined after a success. */
export function useUnlock() {
  const start = useStart()
  return useCallback(
    async (userId: string, password: string): Promise<Challenged | { problem: string } | undefined> => {
      const outcome = await send(lockscreenLogin, { body: { userId, password }, deviceId: deviceId() })
      // The specification has one refusal. A frozen account has the right password, and another way back.
      if (!outcome.ok)
        return { problem: outcome.error.code === 'account_frozen' ? outcome.error.message : 'Incorrect password.' }
      if (outcome.data.success) {
        await start(outcome.data)
        return undefined
      }
      const { message, challenge } = outcome.data
      // With the trailing space in the specification.
      return challenge ? { challenge } : { problem: message || 'Error ' }
    },
    [start],
  )
}

/** The second step of both: the code of the second factor. */
export function useCompleteLogIn() {
  const start = useStart()
  return useCallback(
    async (challenge: string, code: string): Promise<SignedIn | { problem: string; expired: boolean }> => {
      const outcome = await send(loginWithSecondFactor, { body: { challenge, code }, deviceId: deviceId() })
      if (outcome.ok) return start(outcome.data)
      return { problem: outcome.error.message, expired: outcome.error.code === 'invalid_challenge' }
    },
    [start],
  )
}
