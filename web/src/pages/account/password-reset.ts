import { send } from '../../api.ts'

/** What to tell, and whether it worked. */
export type ResetOutcome = { ok: boolean; message: string }

const unsaid = 'Something went wrong. Please try again.'

/** Asks for a mail with a link. The answer is the same whether or not the address is known. */
export const requestReset = (email: string) => ask('/api/password-reset/request', { email })

/** Sets a new password with the token of that link. */
export const setNewPassword = (token: string, newPassword: string) =>
  ask('/api/password-reset/reset', { token, newPassword })

async function ask(path: string, body: Record<string, string>): Promise<ResetOutcome> {
  const outcome = await send<{ message?: string }>(path, { body })
  if (outcome.ok) return { ok: true, message: outcome.data.message || 'Done.' }
  const { fromServer, message } = outcome.error
  return { ok: false, message: fromServer ? message : unsaid }
}
