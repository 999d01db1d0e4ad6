import { mayMissOwnChange } from './own-changes.ts'
import { getSession } from './session.ts'

/** Responses that the document preloads, by URL: undefined when the request failed. Each is used once. */
const waiting = new Map<string, Promise<unknown>>()
/** Those that have arrived. */
const arrived = new Map<string, unknown>()

async function read(url: string) {
  const response = await fetch(url, { headers: { accept: 'application/json' } })
  return response.ok ? response.json() : undefined
}

export const preloaded = {
  /** Reads what the document preloads. It is requested without a token, and so may be older than an own change. */
  read() {
    if (getSession().token && mayMissOwnChange()) return
    for (const link of document.querySelectorAll('link[rel=preload][as=fetch]')) {
      const url = link.getAttribute('href')!
      const response = read(url).catch(() => undefined)
      waiting.set(url, response)
      void response.then((data) => data === undefined || arrived.set(url, data))
    }
  },
  settled: () => Promise.all(waiting.values()),
  /** The response to the first request of a URL. */
  take(url: string) {
    const response = waiting.get(url)
    waiting.delete(url)
    return response
  },
  /** A cache of SWR: the first has what has arrived, so that the first render shows it. */
  cache() {
    const entries = [...arrived].map(([url, data]) => [url, { data }] as const)
    arrived.clear()
    return new Map<string, object>(entries)
  },
}
