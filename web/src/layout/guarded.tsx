import { type ReactNode, useEffect, useState } from 'react'
import { Navigate, useLocation, useParams } from 'react-router-dom'
import { paths } from '../api/paths.ts'
import { forgetReturn, readReturn, rememberReturn } from '../api/return-to.ts'
import { isLive, useSession } from '../api/session.ts'

/** Milliseconds between two checks of the token's expiry. */
const checkInterval = 10_000

/**
 * Requires an unexpired token. Redirects to the lock screen without one, also when it expires while the page is open.
 * `ReturnCard` leads back from where the log-in ends.
 */
export function Guarded({ title, children }: { title: string; children: ReactNode }) {
  const { token } = useSession()
  const { pathname, search } = useLocation()
  const { username } = useParams()
  const path = pathname + search
  const [now, setNow] = useState(() => Date.now())

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), checkInterval)
    return () => clearInterval(timer)
  }, [])

  const open = isLive(token, Math.max(now, Date.now()))
  // Log-out and account deletion end the session and navigate themselves: that navigation must not be replaced.
  const isLeaving = new URL(pathname, location.href).pathname !== location.pathname
  useEffect(() => {
    if (!open && !isLeaving) rememberReturn({ path, title: username ?? title })
    else if (open && readReturn()?.path === path) forgetReturn()
  }, [open, isLeaving, path, title, username])

  if (open) return children
  return isLeaving ? null : <Navigate to={paths.lockScreen} replace />
}
