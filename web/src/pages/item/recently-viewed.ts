import { viewedKey } from '../../api/session.ts'

const KEPT = 9

/** The ids of the works that this browser has shown last, newest first. Kept in this browser only, until log-out. */
export function readViewed(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(viewedKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, KEPT) : []
  } catch {
    return []
  }
}

export function rememberViewed(id: string) {
  try {
    const ids = [id, ...readViewed().filter((viewed) => viewed !== id)].slice(0, KEPT)
    localStorage.setItem(viewedKey, JSON.stringify(ids))
  } catch {
    // Storage is forbidden or full: nothing is remembered.
  }
}
