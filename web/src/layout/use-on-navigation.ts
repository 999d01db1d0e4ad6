import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation } from 'react-router-dom'

/** The page of a path: that of a work is the same one under the name of another owner. */
const pageOf = (pathname: string) => pathname.replace(/^(\/item-detail)\/[^/]+/, '$1')

/** Calls `act` when the page changes; a changed query does not count. */
export function useOnNavigation(act: () => void) {
  const page = pageOf(useLocation().pathname)
  const last = useRef(page)
  const arrived = useEffectEvent(act)

  useEffect(() => {
    if (last.current === page) return
    last.current = page
    arrived()
  }, [page])
}
