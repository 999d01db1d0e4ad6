import { useCallback, useState } from 'react'

/** How far below and above the window images load: its own height. Chromium's `loading="lazy"` loads 1,250 to 2,500 pixels ahead. */
const margin = '100% 0px'

const waiting = new WeakMap<Element, () => void>()
let observer: IntersectionObserver | undefined

/** One observer for all elements: a page has up to sixty. */
const observerOfAll = () => {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) waiting.get(target)?.()
    },
    { rootMargin: margin },
  )
  return observer
}

/** Whether an element is or was near the window, and the `ref` for it. */
export function useNearWindow() {
  const [isNear, setNear] = useState(false)
  const ref = useCallback((element: Element | null) => {
    if (!element) return
    const all = observerOfAll()
    const stop = () => {
      all.unobserve(element)
      waiting.delete(element)
    }
    waiting.set(element, () => {
      stop()
      setNear(true)
    })
    all.observe(element)
    return stop
  }, [])
  return { isNear, ref }
}
