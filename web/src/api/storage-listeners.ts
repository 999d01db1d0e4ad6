/**
 * Listeners of a value that the browser's storage keeps. `reload` reads the value again after another tab has changed
 * one of its keys, or has cleared the storage, and after the back/forward cache has restored this page: storage events
 * may be missing there.
 */
export function createStorageListeners(isKey: (key: string) => boolean, reload: () => void) {
  const listeners = new Set<() => void>()
  return {
    notify: () => {
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      const changedElsewhere = ({ key }: StorageEvent) => {
        if (key !== null && !isKey(key)) return
        reload()
        listener()
      }
      const restored = ({ persisted }: PageTransitionEvent) => {
        if (!persisted) return
        reload()
        listener()
      }
      listeners.add(listener)
      addEventListener('storage', changedElsewhere)
      addEventListener('pageshow', restored)
      return () => {
        listeners.delete(listener)
        removeEventListener('storage', changedElsewhere)
        removeEventListener('pageshow', restored)
      }
    },
  }
}
