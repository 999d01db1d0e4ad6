import { requestPasswordReset, resetPassword } from '@nifty/api/auth/public'
import { type Outcome, send } from '../../api/api.ts'

/** The message to show, and whether the request succeeded. */
export type ResetOutcome = { ok: boolean; message: string }

/** Requests a reset mail. The response is the same whether or not the address has an account. */
export const requestReset = async (email: string) => describe(await send(requestPasswordReset, { body: { email } }))

/** Sets a new password with the token of the mail. */
export const setNewPassword = async (token: string, newPassword: string) =>
  describe(await send(resetPassword, { body: { token, newPassword } }))

function describe(outcome: Outcome<{ message: string }>): ResetOutcome {
  if (outcome.ok) return { ok: true, message: outcome.data.message || 'Done.' }
  const { fromServer, message } = outcome.error
  return { ok: false, message: fromServer ? message : 'Something went wrong. Please try again.' }
}
