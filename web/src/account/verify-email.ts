import { send } from '../api.ts'

/** Confirms the address that the link of our mail was sent to. */
export const verifyEmail = (token: string) => send<{ message?: string }>('/api/auth/verify-email', { body: { token } })
