import { useOnNavigation } from './use-on-navigation.ts'

/** On every navigation: scrolls to the top and moves the focus to the new page's heading. */
export function useScrollAndFocus() {
  useOnNavigation(() => {
    window.scrollTo(0, 0)
    focusHeading()
  })
}

/** The heading may render later: waits up to 5 s for it, unless the user moves the focus. */
function focusHeading() {
  const left = document.activeElement
  const focus = () => {
    const heading = document.querySelector<HTMLElement>('main h1')
    if (heading && document.activeElement === left) heading.focus({ preventScroll: true })
    return Boolean(heading)
  }
  if (focus()) return
  const watcher = new MutationObserver(() => {
    if (focus()) watcher.disconnect()
  })
  watcher.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watcher.disconnect(), 5_000)
}
