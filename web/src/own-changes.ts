import type { Endpoint } from '@nifty/api/endpoint'

/** When this browser last changed a work, in milliseconds since the epoch; stored so that a reloaded page knows it. */
const key = 'changed_at'
/** How old the response to a request without a token may be, and as much again for differences between clocks. */
const CACHED_MS = 2_000

/** Only sellers change works by a request; other changes, such as those of a profile, reach works by events later on. */
export function recordOwnChange({ method, access }: Endpoint) {
  if (method === 'GET' || access !== 'seller') return
  try {
    localStorage.setItem(key, String(Date.now()))
  } catch {
    // Storage is forbidden, and so the session ends with the page.
  }
}

/** Whether what the document preloads, without a token, may be older than the last change of this browser. */
function mayMissOwnChange(): boolean {
  try {
    return performance.timeOrigin - Number(localStorage.getItem(key) ?? 0) < CACHED_MS
  } catch {
    return false
  }
}

/**
 * Drops the response that the document preloaded for a URL, if that may be older than a change of this browser. Browsers
 * give it to the first request of the URL, whatever the headers and the cache mode of that request.
 */
export async function dropOldPreload(url: string) {
  if (!mayMissOwnChange()) return
  const preloads = [...document.querySelectorAll('link[rel="preload"][as="fetch"]')]
  const preload = preloads.find((link) => link.getAttribute('href') === url)
  if (!preload) return
  preload.remove()
  await fetch(url).then(
    ({ body }) => body?.cancel(),
    () => {},
  )
}
