import type { AcceptedTerms, KeptReturn, returnKey, termsKey } from '../api/return-to.ts'

/** The compiler holds them to those of the app, which this script cannot import: it is to stay small. */
const keys: { work: typeof returnKey; terms: typeof termsKey } = { work: 'return_to', terms: 'accepted_terms' }

export type EarlyConnect = ReturnType<typeof earlyConnect>

/**
 * The dialog "Please Connect" of an item's document: until the app has started it answers a Buy Now of a visitor
 * without a session.
 */
export function earlyConnect() {
  const part = document.querySelector<HTMLElement>('[data-connect]')
  const dialog = part?.querySelector('dialog')
  let isDismissed = false
  let onDismiss = () => {}

  part?.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return
    if (target === dialog || target.closest('button')) dialog!.close()
    else if (target.closest('a')) {
      rememberWork(part.dataset)
      // Again when the page is left: an app that starts until then keeps the work without the terms.
      addEventListener('pagehide', () => rememberWork(part.dataset), { once: true })
    }
  })
  dialog?.addEventListener('close', () => {
    isDismissed = true
    onDismiss()
  })
  return {
    /**
     * Opens it over the page, where it stays while the app takes the document's place. False where there is none, and
     * when the app is there.
     */
    open(dismissed: () => void) {
      if (!part?.isConnected || !dialog || hasSession()) return false
      onDismiss = dismissed
      // The app empties the root.
      document.body.append(part)
      dialog.showModal()
      dialog.querySelector('h2')!.focus()
      return true
    },
    /** Takes it away without an event, and leaves the focus to the app. */
    remove() {
      part?.remove()
      dialog?.removeAttribute('open')
    },
    isDismissed: () => isDismissed,
  }
}

export function hasSession() {
  try {
    return localStorage.getItem('token') !== null
  } catch {
    // Storage is forbidden: without a session.
    return false
  }
}

/** Keeps the work, and the terms that Buy Now requires, for after the log-in: as `use-choices.ts` does in the app. */
function rememberWork({ title, work, terms }: DOMStringMap) {
  if (hasSession()) return
  const path = location.pathname
  try {
    const kept: KeptReturn = {
      path,
      title: title!,
      work: JSON.parse(work!),
      choices: { deliverTo: 'wallet' },
      userId: localStorage.getItem('userId'),
      at: Date.now(),
    }
    localStorage.setItem(keys.work, JSON.stringify(kept))
    const accepted: AcceptedTerms = { path, terms: terms! }
    sessionStorage.setItem(keys.terms, JSON.stringify(accepted))
  } catch {
    // Storage is forbidden or full: nothing is remembered.
  }
}
