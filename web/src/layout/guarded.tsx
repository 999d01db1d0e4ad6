import { type ReactNode, useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { paths } from '../api/paths.ts'
import { isLive, useSession } from '../api/session.ts'

/** Milliseconds between two checks of the token's expiry. */
const checkInterval = 10_000

/**
 * Requires an unexpired token. Redirects to the lock screen without one, also when it expires while the page is open.
 */
export function Guarded({ children }: { children: ReactNode }) {
  const { token } = useSession()
  const { pathname } = useLocation()
  const [now, setNow] = useState(() => Date.now())

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), checkInterval)
    return () => clearInterval(timer)
  }, [])

  if (isLive(token, Math.max(now, Date.now()))) return children
  // Log-out and account deletion end the session and navigate themselves: that navigation must not be replaced.
  const isLeaving = new URL(pathname, location.href).pathname !== location.pathname
  return isLeaving ? null : <Navigate to={paths.lockScreen} replace />
}
