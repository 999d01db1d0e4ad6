import { resendConfirmation as resendEndpoint, verifyEmail as verifyEndpoint } from '@nifty/api/auth/public'
import { send } from '../../api/api.ts'

/** Confirms an e-mail address with the token of the mail. */
export const verifyEmail = (token: string) => send(verifyEndpoint, { body: { token } })

/** Sends the confirmation mail again. Returns the message to show. */
export async function resendConfirmation(): Promise<string> {
  const outcome = await send(resendEndpoint)
  return outcome.ok ? 'Check your mail box!' : outcome.error.message
}
