import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation } from 'react-router-dom'

/** Calls `act` when the path changes; a changed query does not count. */
export function useOnNavigation(act: () => void) {
  const { pathname } = useLocation()
  const last = useRef(pathname)
  const arrived = useEffectEvent(act)

  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    arrived()
  }, [pathname])
}
