import { subscribe } from 'node:diagnostics_channel'

type Event = { request: { origin: string; method: string; path: string } }

/**
 * Counts the requests of this process to one origin; `failed` names those without a response or with status 400 and
 * above.
 */
export function countRequests(url: string) {
  const { origin } = new URL(url)
  const seen = { sent: 0, failed: [] as string[] }
  const on = <Kind extends Event>(channel: string, handle: (event: Kind) => void) =>
    subscribe(channel, (message) => {
      const event = message as Kind
      if (event.request.origin === origin) handle(event)
    })
  const name = ({ request }: Event) => `${request.method} ${request.path}`

  on('undici:request:create', () => seen.sent++)
  on<Event & { response: { statusCode: number } }>('undici:request:headers', (event) => {
    const { statusCode } = event.response
    if (statusCode >= 400) seen.failed.push(`${name(event)}: ${statusCode}`)
  })
  on<Event & { error: Error }>('undici:request:error', (event) => {
    seen.failed.push(`${name(event)}: ${event.error.message}`)
  })
  return seen
}
