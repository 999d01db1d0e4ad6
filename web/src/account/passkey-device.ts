import type { NewPasskeyResponse, PasskeyResponse } from '@nifty/api/auth/passkeys'
import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'

/** Import this module when a passkey is needed: the library belongs to no page's first load. */
export type Answer<Response> = { response: Response } | { problem: string }
type Options = object

/** Has the browser make a passkey. */
export async function makePasskey(options: Options): Promise<Answer<NewPasskeyResponse>> {
  try {
    return { response: await startRegistration({ optionsJSON: options as never }) }
  } catch (error) {
    const exists = error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    return { problem: exists ? 'This device has a passkey of your account already.' : 'No passkey was made.' }
  }
}

/** Has the browser sign with a passkey of its user. */
export async function signWithPasskey(options: Options): Promise<Answer<PasskeyResponse>> {
  try {
    return { response: await startAuthentication({ optionsJSON: options as never }) }
  } catch {
    return { problem: 'No passkey was used. Please try again, or use your password.' }
  }
}
