import { earlyConnect, hasSession } from './early-connect.ts'
import { recordEarlyInput } from './early-input.ts'

/** What this script leaves to the app. */
export type StartedDocument = {
  replayEarlyInput?: () => void
  /** The visitor has closed the document's dialog "Please Connect". */
  isConnectDismissed?: () => boolean
}

/** How long the app waits for the first image of the document, in milliseconds. */
const MAX_WAIT_MS = 1_000

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves after the next frame, or at once in a hidden tab, which has none. */
const nextPaint = () =>
  new Promise<void>((resolve) => {
    if (document.hidden) resolve()
    else requestAnimationFrame(() => setTimeout(resolve))
  })

/** The largest image of the first screen. The others do not hold up the app. */
const firstImageLoaded = async () => document.images[0]?.decode().catch(() => {})

/**
 * Requests what the app needs, and evaluates it. Its hints are in a template, unless the document shows nothing by
 * itself. Scripts stand after their dependencies and are evaluated one after the other, so that a slow phone stays
 * responsive.
 */
async function startApp() {
  const template = document.querySelector<HTMLTemplateElement>('#app')
  if (template) document.head.append(template.content)
  for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')) {
    // The app itself handles a chunk that is missing.
    await import(/* @vite-ignore */ href).catch(() => {})
    await wait(0)
  }
}

/** The same document is sent to all clients. With a session, log-in and Buy Now of an own work are hidden. */
function hideFromAccounts() {
  if (!hasSession()) return
  const username = localStorage.getItem('username')
  for (const part of document.querySelectorAll<HTMLElement>('[data-early] .navigation__account a, [data-owner]'))
    if (part.dataset.owner === undefined || part.dataset.owner === username) part.style.cssText += ';visibility:hidden'
}

// The content security policy forbids the attribute `style`.
for (const element of document.querySelectorAll<HTMLElement>('[data-style]'))
  element.style.cssText = element.dataset.style!
hideFromAccounts()
const connect = earlyConnect()
const started: StartedDocument = {
  replayEarlyInput: recordEarlyInput(connect),
  isConnectDismissed: connect.isDismissed,
}
Object.assign(window, started)

// The first screen first: the app is several times as large, and evaluating it blocks a slow phone.
void Promise.race([firstImageLoaded(), wait(MAX_WAIT_MS)])
  .then(nextPaint)
  .then(startApp)
