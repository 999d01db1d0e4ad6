import { signup } from '@nifty/api/auth/public'
import type { EndpointBody } from '@nifty/api/endpoint'
import { fieldErrors, send } from '../../api/api.ts'

export type SignUpOutcome =
  | { kind: 'registered' }
  /** 200 with `success: false`: the page goes to /error, as specified. */
  | { kind: 'rejected'; message: string }
  | { kind: 'failed'; message: string; fields: Record<string, string | undefined> }

/** Registers an account. The username is sent with an "@" prefix, as specified. */
export async function signUp({ username, ...rest }: EndpointBody<typeof signup>): Promise<SignUpOutcome> {
  const outcome = await send(signup, { body: { ...rest, username: `@${username.trim().replace(/^@+/, '')}` } })
  if (!outcome.ok) {
    const { fromServer, message } = outcome.error
    return {
      kind: 'failed',
      message: fromServer ? message : 'Something went wrong, please try again.',
      fields: fieldErrors(outcome.error),
    }
  }
  if (!outcome.data.success) return { kind: 'rejected', message: outcome.data.message || 'Failed to register' }
  return { kind: 'registered' }
}
