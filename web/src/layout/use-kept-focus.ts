import { useEffect } from 'react'

/** An element that takes a focus by script: a heading, or a text that says what happened. */
const mark = '[tabindex="-1"]:not([aria-hidden])'
const control = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary'

type Focused = { element: Element; ancestors: Element[]; path: string }

/**
 * Keeps the focus near where it was when the control that had it is removed, as a button that its own click replaces.
 * It goes to what was added in the same place; where nothing was, or in a list, to the nearest element with
 * `tabIndex={-1}`; at last to the page's heading. A place that has `tabIndex={-1}` itself is read as a whole. Does not
 * scroll. Navigation has its own rule (use-scroll-and-focus.ts).
 */
export function useKeptFocus() {
  useEffect(() => {
    // A modal dialog has a focus of its own: the one of the page is of interest again when it closes.
    const last: { page?: Focused; dialog?: Focused } = {}
    const layer = () => (document.querySelector('dialog:modal') ? 'dialog' : 'page')

    const remember = ({ target }: FocusEvent) => {
      const element = target as Element
      last[layer()] = { element, ancestors: ancestorsOf(element), path: location.pathname }
    }
    // A click beside all controls takes the focus away: nothing is to be kept. A removal is known after it only.
    const forget = ({ target, relatedTarget }: FocusEvent) => {
      const element = target as Element
      if (relatedTarget === null)
        queueMicrotask(() => {
          if (element.isConnected && !element.matches(':disabled') && last.page?.element === element)
            last.page = undefined
        })
    }
    const watcher = new MutationObserver((records) => {
      const at = layer()
      const lost = last[at]
      if (!lost || lost.element.isConnected) return
      last[at] = undefined
      if (document.activeElement !== document.body || lost.path !== location.pathname) return
      const added = records.flatMap(({ addedNodes }) => [...addedNodes].filter((node) => node instanceof Element))
      landingOf(lost.ancestors, added)?.focus({ preventScroll: true })
    })
    watcher.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', remember)
    document.addEventListener('focusout', forget)
    return () => {
      watcher.disconnect()
      document.removeEventListener('focusin', remember)
      document.removeEventListener('focusout', forget)
    }
  }, [])
}

function ancestorsOf(element: Element): Element[] {
  const { parentElement } = element
  return parentElement ? [parentElement, ...ancestorsOf(parentElement)] : []
}

/** Where a focus goes that was on a removed element. `ancestors` of that, the nearest first. */
function landingOf(ancestors: Element[], added: Element[]): HTMLElement | undefined {
  const [place, ...outer] = ancestors.filter(({ isConnected }) => isConnected)
  if (!place) return undefined
  const isList = place.matches('ul, ol, tbody')
  const around = [place, ...outer].filter((each) => !each.matches('main') && !each.querySelector('main'))
  const candidates = [
    ...(around[0]?.matches(mark) ? [around[0]] : []),
    ...(isList
      ? []
      : added.filter((node) => place.contains(node)).flatMap((node) => within(node, `${mark}, ${control}`))),
    ...around.flatMap((each) => within(each, mark)),
    ...within(document.body, 'main h1'),
  ]
  return candidates.find((each): each is HTMLElement => each instanceof HTMLElement && isShown(each))
}

/** The element itself and those in it that match. */
const within = (element: Element, selector: string) => [
  ...(element.matches(selector) ? [element] : []),
  ...element.querySelectorAll(selector),
]

const isShown = (element: Element) => element.getClientRects().length > 0
