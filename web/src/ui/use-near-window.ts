import { useCallback, useState } from 'react'

/**
 * How far below and above the window images load: its own height. Chromium's `loading="lazy"` loads 1,250 to 2,500
 * pixels ahead.
 */
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

/** Addresses of images that loaded: they are shown at once when an element of theirs is made again. */
const loaded = new Set<string>()
export const markLoaded = (src: string) => void loaded.add(src)

/**
 * Whether the element of an image is or was near the window, or its image has been loaded before, and the `ref` for it.
 */
export function useNearWindow(src: string | null | undefined, eager = false) {
  const [isNear, setNear] = useState(eager)
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
  return { isNear: eager || isNear || (!!src && loaded.has(src)), ref }
}
