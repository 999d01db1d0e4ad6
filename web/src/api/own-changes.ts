import type { Endpoint } from '@nifty/api/endpoint'
import { stored } from './session.ts'

/** Time of this browser's last change, in milliseconds since the epoch; stored so that it survives a reload. */
const key = 'changed_at'
/** How old the response to a request without a token may be, and as much again for differences between clocks. */
const CACHED_MS = 2_000

/** Counts requests that change no work as well: they cost one preload if a page is loaded within two seconds. */
export function recordOwnChange({ method }: Endpoint) {
  if (method === 'GET') return
  try {
    localStorage.setItem(key, String(Date.now()))
  } catch {
    // Storage is forbidden, and so the session ends with the page.
  }
}

/** Whether what the document preloads, without a token, may be older than the last change of this browser. */
export const mayMissOwnChange = () => performance.timeOrigin - Number(stored(key)) < CACHED_MS

/**
 * Drops the response that the document preloaded for a URL, if that may be older than a change of this browser.
 * Browsers give it to the first request of the URL, whatever the headers and the cache mode of that request.
 */
export async function dropOldPreload(url: string) {
  if (!mayMissOwnChange()) return
  const preload = document.querySelector(`link[rel="preload"][as="fetch"][href="${url}"]`)
  if (!preload) return
  preload.remove()
  await fetch(url).then(
    ({ body }) => body?.cancel(),
    () => {},
  )
}
