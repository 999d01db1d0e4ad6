import { fieldErrors, send } from '../../api.ts'

export type Application = { firstName: string; lastName: string; username: string; email: string; password: string }

export type SignUpOutcome =
  | { kind: 'registered' }
  /** The server answered and said no: the page goes to /error. */
  | { kind: 'refused'; message: string }
  | { kind: 'failed'; message: string; fields: Record<string, string | undefined> }

/** Opens an account. The username is sent with an "@" before it. */
export async function signUp({ username, ...rest }: Application): Promise<SignUpOutcome> {
  const outcome = await send<{ success: boolean; message?: string }>('/api/auth/signup', {
    body: { ...rest, username: `@${username.trim().replace(/^@+/, '')}` },
  })
  if (!outcome.ok) {
    const { fromServer, message } = outcome.error
    const words = fromServer ? message : 'Something went wrong, please try again.'
    return { kind: 'failed', message: words, fields: fieldErrors(outcome.error) }
  }
  if (!outcome.data.success) return { kind: 'refused', message: outcome.data.message || 'Failed to register' }
  return { kind: 'registered' }
}
