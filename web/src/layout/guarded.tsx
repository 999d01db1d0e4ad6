import { useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { paths } from '../paths.ts'
import { isLive, useSession } from '../session.ts'

const refreshInterval = 10_000

/** Pages that need an unexpired token. Without one: the lock screen, also when it expires while the page is open. */
export function Guarded() {
  const { token } = useSession()
  const { pathname } = useLocation()
  const [now, setNow] = useState(() => Date.now())

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), refreshInterval)
    return () => clearInterval(timer)
  }, [])

  if (isLive(token, Math.max(now, Date.now()))) return <Outlet />
  // Whoever ended the session may be on the way elsewhere already (log-out, a deleted account): then that is where to go.
  const isLeaving = new URL(pathname, location.href).pathname !== location.pathname
  return isLeaving ? null : <Navigate to={paths.lockScreen} replace />
}
