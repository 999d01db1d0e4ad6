import type { EarlyConnect } from './early-connect.ts'

/**
 * Milliseconds that presses are kept: from the moment when the app has taken the document's place, and again from each
 * press after it. A visitor no longer expects what was pressed before.
 */
const KEPT_MS = 10_000
/** The document, and what the app shows in its place while it loads. */
const early = '[data-early]'
/** What needs recording there: the app's own controls work while it loads, except those of a purchase. */
const recorded = `:is(#root > ${early}, ${early} .buy)`
const controls = 'button, input, select, textarea'

type Action = { kind: 'click' } | { kind: 'change'; value: string | boolean }
/** `path`: the page of the control. `price`: what the visitor saw as the price of a work beside it. */
type Entry = Action & { path: string; price: string | undefined }

/**
 * Makes the document usable before the app: the menu opens, the terms enable Buy Now, which opens `connect`, and what
 * needs the app is recorded by the name of its control. Returns the function that the app calls when it has taken the
 * document's place.
 */
export function recordEarlyInput(connect: EarlyConnect) {
  /** In the order of the presses. */
  const entries = new Map<string, Entry>()
  let focused: string | undefined
  /** The press that has opened `connect`. */
  let connecting: string | undefined
  let onRecord = () => {}

  const record = (control: HTMLElement, action: Action) => {
    const key = keyOf(control)
    // What is set again keeps its place in a map.
    entries.delete(key)
    entries.set(key, { ...action, path: location.pathname, price: priceBeside(control) })
    onRecord()
  }
  document.addEventListener('click', (event) => {
    const control = controlOf(event)
    if (!(control instanceof HTMLButtonElement)) return
    if (control.matches('.navigation__toggle')) return toggleMenu(control)
    if (control.hasAttribute('aria-busy')) return
    const isAnswered = control.closest('.buy') && connect.open(() => entries.delete(keyOf(control)))
    if (isAnswered) connecting = keyOf(control)
    else setBusy(control, true)
    record(control, { kind: 'click' })
  })
  document.addEventListener('input', (event) => {
    const control = controlOf(event)
    if (!control) return
    const { type, checked, value } = control as HTMLInputElement
    record(control, { kind: 'change', value: type === 'checkbox' ? checked : value })
    const buy = control.closest('.buy')?.querySelector('button')
    if (!buy) return
    buy.disabled = !checked
    if (checked) return
    entries.delete(keyOf(buy))
    setBusy(buy, false)
  })
  document.addEventListener('submit', (event) => {
    // A form without an address needs the app.
    if (event.target instanceof Element && event.target.matches(`${early} form:not([action])`)) event.preventDefault()
  })
  document.addEventListener('focusin', (event) => {
    const control = controlOf(event)
    focused = control ? keyOf(control) : undefined
  })

  /** The app repeats the press, unless a second one has closed the menu again. */
  function toggleMenu(toggle: HTMLElement) {
    const isOpen = toggle.closest('.navigation')!.toggleAttribute('data-open')
    toggle.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) record(toggle, { kind: 'click' })
    else entries.delete(keyOf(toggle))
  }

  const repeat = () => {
    // What was pressed on another page is not meant for this one.
    for (const [key, { path }] of entries) if (path !== location.pathname) entries.delete(key)
    if (entries.size === 0 && focused === undefined) return
    const present = [...document.querySelectorAll<HTMLButtonElement>(controls)].filter(
      (control) => !control.closest(early),
    )
    for (const [key, entry] of entries) {
      const named = present.filter((control) => keyOf(control) === key)
      const control = named.find(({ disabled }) => !disabled) ?? named[0]
      if (!control) continue
      if (control.disabled) {
        // Once the terms are repeated the button waits for something else, such as the payment of another buyer.
        const isWaiting = [...entries.values()].some(({ kind }) => kind === 'change')
        if (control.closest('.buy') && !isWaiting) entries.delete(key)
        continue
      }
      entries.delete(key)
      // Nothing is pressed beside a price that the visitor has not seen.
      if (entry.price !== undefined && entry.price !== priceBeside(control)) continue
      apply(control, entry)
      if (entry.kind === 'change') return repeatSoon()
    }
    const control = present.find((one) => keyOf(one) === focused)
    if (!control) return
    focused = undefined
    if (document.activeElement === document.body) control.focus({ preventScroll: true })
  }
  let scheduled = false
  // The next task: React has then handled the former event, such as the tick that enables a button.
  const repeatSoon = () => {
    if (scheduled) return
    scheduled = true
    setTimeout(() => {
      scheduled = false
      repeat()
      // The app has opened its own dialog, or the press no longer counts.
      if (connecting !== undefined && !entries.has(connecting)) endConnecting()
    })
  }
  const endConnecting = () => {
    connecting = undefined
    connect.remove()
  }
  const watcher = new MutationObserver(repeatSoon)
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Repeats what was done on the controls of the app, each as soon as it is there and enabled, for ten seconds. */
  return function replay() {
    onRecord = replay
    repeatSoon()
    watcher.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    clearTimeout(timer)
    timer = setTimeout(() => {
      watcher.disconnect()
      entries.clear()
      endConnecting()
    }, KEPT_MS)
  }
}

const controlOf = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLElement>(`${recorded} :is(${controls})`) : null

/** Kind and accessible name. */
function keyOf(control: HTMLElement) {
  const { labels, name } = control as HTMLInputElement
  const text = labels?.[0]?.textContent ?? control.textContent
  return [control.localName, control.getAttribute('aria-label') || name || text].join()
}

/** The price of the work that a control belongs to, as the page shows it. */
const priceBeside = (control: HTMLElement) =>
  control.closest('.panel')?.querySelector('.panel__price')?.textContent ?? undefined

/** As `Button` shows it. */
function setBusy(control: HTMLElement, busy: boolean) {
  if (busy) control.setAttribute('aria-busy', 'true')
  else control.removeAttribute('aria-busy')
  const labels = [...control.querySelectorAll<HTMLElement>('[data-shown]')]
  if (labels.length < 2) return
  for (const [index, label] of labels.entries()) label.dataset.shown = String(index === 0 ? !busy : busy)
}

function apply(control: HTMLElement, entry: Entry) {
  if (entry.kind === 'click') return control.click()
  if (control instanceof HTMLInputElement && typeof entry.value === 'boolean') {
    if (control.checked !== entry.value) control.click()
    return
  }
  // React overrides the setter of the element itself, and takes a value that this one has set for its own.
  Reflect.set(Object.getPrototypeOf(control), 'value', entry.value, control)
  control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}
