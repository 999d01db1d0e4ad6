import { useEffect, useRef } from 'react'

/**
 * Moves a focus that was on a removed entry of a list to the page's heading, without scrolling. `count` of the entries.
 */
export function useFocusAfterRemoval(count: number) {
  const before = useRef(count)
  useEffect(() => {
    const removed = count < before.current
    before.current = count
    if (removed && document.activeElement === document.body)
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [count])
}
