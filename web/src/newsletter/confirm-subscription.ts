import { send } from '../api.ts'

/** Confirms a newsletter subscription with the token of our mail. */
export const confirmSubscription = (token: string) =>
  send<{ message?: string }>('/api/subscribe/confirm', { body: { token } })
