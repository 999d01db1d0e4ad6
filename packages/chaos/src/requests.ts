import { subscribe } from 'node:diagnostics_channel'

type Event = { request: { origin: string; method: string; path: string } }

/** Counts what becomes of every request that this process sends to one address; `failed` names those that did not succeed. */
export function countRequests(url: string) {
  const { origin } = new URL(url)
  const seen = { sent: 0, failed: [] as string[] }
  const hear = <Told extends Event>(channel: string, tell: (event: Told) => void) =>
    subscribe(channel, (message) => {
      const event = message as Told
      if (event.request.origin === origin) tell(event)
    })
  const name = ({ request }: Event) => `${request.method} ${request.path}`

  hear('undici:request:create', () => seen.sent++)
  hear<Event & { response: { statusCode: number } }>('undici:request:headers', (event) => {
    const { statusCode } = event.response
    if (statusCode >= 400) seen.failed.push(`${name(event)}: ${statusCode}`)
  })
  hear<Event & { error: Error }>('undici:request:error', (event) => {
    seen.failed.push(`${name(event)}: ${event.error.message}`)
  })
  return seen
}
