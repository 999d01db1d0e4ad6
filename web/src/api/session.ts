import { useSyncExternalStore } from 'react'
import { createStorageListeners } from './storage-listeners.ts'

/**
 * The session in the browser's storage. A token means "logged in"; the other two stay after log-out for the lock
 * screen.
 */
export type Session = { token: string | null; userId: string | null; username: string | null }

const keys = ['token', 'userId', 'username'] as const
/** Recently viewed works; removed with the token, so that the next person at this browser does not see them. */
export const viewedKey = 'recently_viewed'
let current = read()
/** Counts the changes to another account that other tabs have made. */
let accountChanges = 0

function read(): Session {
  const [token, userId, username] = keys.map((key) => stored(key))
  return { token: token ?? null, userId: userId ?? null, username: username ?? null }
}

/** Storage may be forbidden (private windows, iframes): the session then lasts until the page is left. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(changes: Partial<Session>) {
  current = { ...current, ...changes }
  try {
    for (const key of keys) {
      const value = current[key]
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    }
    if (changes.token === null) localStorage.removeItem(viewedKey)
  } catch {
    // Storage is forbidden: in memory only.
  }
  notify()
}

const { notify, subscribe } = createStorageListeners(
  (key) => keys.some((own) => own === key),
  () => {
    const { userId } = current
    current = read()
    // The id stays after a log-out: what was typed here is kept for the same person.
    if (userId !== null && userId !== current.userId) accountChanges++
  },
)

export const getSession = () => current
export const startSession = ({ token, userId, username }: { token: string; userId: string; username: string }) =>
  write({ token, userId, username })
/** Removes the token. Id and username stay, for the lock screen. */
export const endSession = () => write({ token: null })
/** Removes everything, as after an account's deletion. */
export const clearSession = () => write({ token: null, userId: null, username: null })

export const useSession = () => useSyncExternalStore(subscribe, getSession, getSession)
/**
 * A key that changes when another tab logs in another account: cached data and forms of this tab are the former one's.
 */
export const useAccountKey = () => useSyncExternalStore(subscribe, () => accountChanges)

/** True while the token's `exp` (seconds) lies in the future. An unreadable token counts as missing. */
export function isLive(token: string | null, nowMs: number): boolean {
  const payload = token?.split('.')[1]
  if (!payload) return false
  try {
    const { exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: unknown }
    // Rejects an `exp` in milliseconds: no valid token lasts ten years.
    const nowSeconds = nowMs / 1000
    return typeof exp === 'number' && exp > nowSeconds && exp < nowSeconds + 315_360_000
  } catch {
    return false
  }
}
