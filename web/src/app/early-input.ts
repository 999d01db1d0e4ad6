/** Milliseconds after which a visitor no longer expects what was pressed. */
const KEPT_MS = 10_000
/** The document, and what the app shows in its place while it loads. */
const early = '[data-early]'
const controls = 'button, input, select, textarea'

type Action = { kind: 'click' } | { kind: 'change'; value: string | boolean }
/** `price`: what the visitor saw as the price of a work beside the control. */
type Entry = Action & { price: string | undefined }

/**
 * Makes the document usable before the app: the menu opens, the terms enable Buy Now, and what needs the app is
 * recorded by the name of its control. Returns the function that the app calls when it has taken the document's place.
 */
export function recordEarlyInput() {
  const entries = new Map<string, Entry>()
  let focused: string | undefined
  let onRecord = () => {}

  const record = (control: HTMLElement, action: Action) => {
    entries.set(keyOf(control), { ...action, price: priceBeside(control) })
    onRecord()
  }
  document.addEventListener('click', (event) => {
    const control = controlOf(event)
    if (!(control instanceof HTMLButtonElement)) return
    if (control.matches('.navigation__toggle')) return toggleMenu(control, entries)
    if (control.hasAttribute('aria-busy')) return
    showBusy(control)
    record(control, { kind: 'click' })
  })
  document.addEventListener('input', (event) => {
    const control = controlOf(event)
    if (!control) return
    const { type, checked, value } = control as HTMLInputElement
    record(control, { kind: 'change', value: type === 'checkbox' ? checked : value })
    const buy = control.closest('.buy')?.querySelector('button')
    if (buy) buy.disabled = !checked
  })
  document.addEventListener('submit', (event) => {
    // A form without an address needs the app.
    if (event.target instanceof Element && event.target.matches(`${early} form:not([action])`)) event.preventDefault()
  })
  document.addEventListener('focusin', (event) => {
    const control = controlOf(event)
    focused = control ? keyOf(control) : undefined
  })

  const repeat = () => {
    if (entries.size === 0 && focused === undefined) return
    for (const control of document.querySelectorAll<HTMLButtonElement>(controls)) {
      if (control.closest(early)) continue
      const key = keyOf(control)
      const entry = entries.get(key)
      if (entry && !control.disabled) {
        entries.delete(key)
        // Nothing is pressed beside a price that the visitor has not seen.
        if (entry.price === undefined || entry.price === priceBeside(control)) apply(control, entry)
      }
      if (key === focused) {
        focused = undefined
        if (document.activeElement === document.body) control.focus({ preventScroll: true })
      }
    }
  }
  let scheduled = false
  // The next task: React has then handled the former event, such as the tick that enables a button.
  const repeatSoon = () => {
    if (scheduled) return
    scheduled = true
    setTimeout(() => {
      scheduled = false
      repeat()
    })
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
    }, KEPT_MS)
  }
}

const controlOf = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLElement>(`${early} :is(${controls})`) : null

/** Kind and accessible name. */
function keyOf(control: HTMLElement) {
  const { labels, name } = control as HTMLInputElement
  const text = labels?.[0]?.textContent ?? control.textContent
  return [control.localName, control.getAttribute('aria-label') || name || text].join()
}

/** The price of the work that a control belongs to, as the page shows it. */
const priceBeside = (control: HTMLElement) =>
  control.closest('.panel')?.querySelector('.panel__price')?.textContent ?? undefined

/** The app repeats the press, unless a second one has closed the menu again. */
function toggleMenu(toggle: HTMLElement, entries: Map<string, Entry>) {
  const isOpen = toggle.closest('.navigation')!.toggleAttribute('data-open')
  toggle.setAttribute('aria-expanded', String(isOpen))
  if (isOpen) entries.set(keyOf(toggle), { kind: 'click', price: undefined })
  else entries.delete(keyOf(toggle))
}

/** As `Button` shows it. */
function showBusy(control: HTMLElement) {
  control.setAttribute('aria-busy', 'true')
  const labels = control.querySelectorAll<HTMLElement>('[data-shown]')
  if (labels.length > 1) for (const label of labels) label.dataset.shown = String(label.dataset.shown === 'false')
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
