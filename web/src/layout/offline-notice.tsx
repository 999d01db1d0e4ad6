import { useSyncExternalStore } from 'react'

function subscribe(onChange: () => void) {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

/** A notice that the browser has no connection, until it has one again. */
export function OfflineNotice() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div className="offline-notice" role="status">
      {!online && <p className="wrap">You are offline. What you see may be out of date.</p>}
    </div>
  )
}
