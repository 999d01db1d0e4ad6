import { send } from '../api.ts'

/** Sends the link that confirms the address once more; answers what to say about it. */
export async function resendConfirmation(): Promise<string> {
  const outcome = await send<{ message?: string }>('/api/auth/resend-confirmation', { withToken: true })
  return outcome.ok ? 'Check your mail box!' : outcome.error.message
}
