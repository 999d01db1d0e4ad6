import type { OwnProfile } from '@nifty/api/auth/account'
import { removeCover as removeCoverEndpoint, uploadCover as uploadCoverEndpoint } from '@nifty/api/auth/covers'
import { deleteAccount as deleteAccountEndpoint } from '@nifty/api/auth/deletion'
import {
  changePassword as changePasswordEndpoint,
  changeProfile,
  getCurrentUser,
  getProfile,
  getPublicProfile,
  uploadAvatar as uploadAvatarEndpoint,
} from '@nifty/api/auth/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { useSWRConfig } from 'swr'
import { send } from '../../api/api.ts'
import { startSession } from '../../api/session.ts'
import { keepStepUp } from '../../api/step-up.ts'
import { useEndpoint } from '../../api/use-endpoint.ts'

/** The profile of an account for its settings. `foreign` for another account: its response has no e-mail address. */
export function useOwnProfile(id: string) {
  const { data, error, mutate } = useEndpoint(getProfile, { params: { id } }, { revalidateOnFocus: false })
  const config = useSWRConfig()
  const profile = data && 'email' in data ? data : undefined

  /**
   * Refetches the profile and the current user, which the navigation shows. Forgets the public profile: its images are
   * gone.
   */
  const reload = () => {
    const username = profile?.username ?? ''
    void config.mutate(endpointUrl(getPublicProfile, { params: { username } }), undefined)
    return Promise.all([mutate(), config.mutate(getCurrentUser.path)])
  }

  return { profile, foreign: data !== undefined && !profile, error, reload }
}

/** Saves the whole profile, or the notification flags alone. */
export const saveProfile = (id: string, changes: Partial<OwnProfile>) =>
  send(changeProfile, { params: { id }, body: changes })

export function uploadAvatar(id: string, file: File) {
  const form = new FormData()
  form.append('avatar', file)
  return send(uploadAvatarEndpoint, { params: { id }, form, timeoutMs: 60_000 })
}

export function uploadCover(id: string, file: File) {
  const form = new FormData()
  form.append('cover', file)
  return send(uploadCoverEndpoint, { params: { id }, form, timeoutMs: 120_000 })
}

export const removeCover = (id: string) => send(removeCoverEndpoint, { params: { id } })

/** The server ends all sessions and returns a new token for this one. */
export async function changePassword(id: string, passwords: { oldPassword: string; newPassword: string }) {
  const outcome = await send(changePasswordEndpoint, { params: { id }, body: passwords })
  if (outcome.ok && outcome.data.token) {
    startSession(outcome.data)
    keepStepUp(outcome.data.stepUp, outcome.data.token)
  }
  return outcome
}

/** `giveUpWorks`: works in custody stay with the store; an operator can hand them back for 30 days. */
export const deleteAccount = (id: string, giveUpWorks: boolean) =>
  send(deleteAccountEndpoint, { params: { id }, query: giveUpWorks ? { giveUpWorks: 'true' } : {} })
