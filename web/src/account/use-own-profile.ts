import type { OwnProfile, SignedIn } from '@nifty/api/auth/account'
import useSWR, { useSWRConfig } from 'swr'
import { type ApiError, type Outcome, requestWithToken, send } from '../api.ts'
import { startSession } from '../session.ts'

const accountPath = (id: string) => `/api/users/${encodeURIComponent(id)}`
const profilePath = (id: string) => `/api/users/change/${encodeURIComponent(id)}`

/** The settings of one account. Whoever asks for another's gets a profile without an e-mail address. */
export function useOwnProfile(id: string) {
  const { data, error, mutate } = useSWR<Partial<OwnProfile>, ApiError>(profilePath(id), requestWithToken, {
    revalidateOnFocus: false,
  })
  const config = useSWRConfig()
  const own = data && 'email' in data ? (data as OwnProfile) : undefined

  /** The form and the navigation both show what was saved. */
  const reload = () => Promise.all([mutate(), config.mutate('/api/auth/user')])

  return { profile: own, foreign: data !== undefined && !own, error, reload }
}

type Saved = { success: true; message: string; user: OwnProfile }

/** The whole profile, or the notification flags alone. */
export const saveProfile = (id: string, changes: Partial<OwnProfile>): Promise<Outcome<Saved>> =>
  send(accountPath(id), { method: 'PUT', withToken: true, body: changes })

export function uploadAvatar(id: string, file: File): Promise<Outcome<{ avatar: string }>> {
  const body = new FormData()
  body.append('avatar', file)
  return send(`${accountPath(id)}/upload-avatar`, { method: 'PUT', withToken: true, body, timeoutMs: 60_000 })
}

/** Every other session ends; this one goes on with the token that comes back. */
export async function changePassword(id: string, passwords: { oldPassword: string; newPassword: string }) {
  const outcome = await send<SignedIn>(`${accountPath(id)}/change-password`, {
    method: 'PUT',
    withToken: true,
    body: passwords,
  })
  if (outcome.ok && outcome.data.token) startSession(outcome.data)
  return outcome
}

export const deleteAccount = (id: string) => send(accountPath(id), { method: 'DELETE', withToken: true })
