import {
  confirmTotp as confirmEndpoint,
  getSecondFactor,
  removeSecondFactor as removeEndpoint,
  replaceRecoveryCodes as replaceEndpoint,
  startTotp as startEndpoint,
} from '@nifty/api/auth/second-factor'
import { send } from '../api/api.ts'
import { useEndpoint } from '../api/use-endpoint.ts'

/** The second factor of the account. */
export const useSecondFactor = () => useEndpoint(getSecondFactor, {})

/** Makes the secret for an authenticator app. */
export const startTotp = () => send(startEndpoint)

/** Turns the second factor on; the response has the recovery codes. */
export const confirmTotp = (code: string) => send(confirmEndpoint, { body: { code } })

export const replaceRecoveryCodes = () => send(replaceEndpoint)

export const removeSecondFactor = () => send(removeEndpoint)
