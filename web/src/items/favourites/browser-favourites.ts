import { createStorageListeners } from '../../api/storage-listeners.ts'

const storageKey = 'favourites'
/** As many as an account may have. */
const KEPT = 2_000

let current: readonly string[] = read()

const { notify, subscribe } = createStorageListeners(
  (key) => key === storageKey,
  () => {
    current = read()
  },
)

/** Ids of the works that were marked in this browser without a session, newest first. */
function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, KEPT) : []
  } catch {
    return []
  }
}

/** Storage may be forbidden or full: the favourites then last until the page is left. */
function write(ids: readonly string[]) {
  current = ids
  try {
    if (ids.length > 0) localStorage.setItem(storageKey, JSON.stringify(ids))
    else localStorage.removeItem(storageKey)
  } catch {
    // In memory only.
  }
  notify()
}

export const browserFavourites = {
  ids: () => current,
  /** False if there are 2,000 already. */
  add: (id: string) => {
    if (current.includes(id)) return true
    if (current.length >= KEPT) return false
    write([id, ...current])
    return true
  },
  remove: (ids: readonly string[]) => write(current.filter((id) => !ids.includes(id))),
  subscribe,
}
