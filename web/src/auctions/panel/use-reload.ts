import { useEffect, useEffectEvent } from 'react'

/** Milliseconds between two reads near the end of an auction. Before it the page of a work reads by itself. */
const readsEvery = 2_000

/** Calls `reload` every two seconds while the page is visible. */
export function useReload(enabled: boolean, reload: () => void) {
  const read = useEffectEvent(() => {
    if (document.visibilityState === 'visible') reload()
  })
  useEffect(() => {
    if (!enabled) return
    const timer = setInterval(() => read(), readsEvery)
    return () => clearInterval(timer)
  }, [enabled])
}
