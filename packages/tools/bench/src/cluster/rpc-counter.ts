import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Passes JSON-RPC requests on to a node and counts their calls, each call of a batch. */
export async function startRpcCounter(target: string) {
  let calls = 0
  async function forward(body: string) {
    const parsed: unknown = JSON.parse(body)
    calls += Array.isArray(parsed) ? parsed.length : 1
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return { status: response.status, body: await response.text() }
  }
  const server = createServer((request, response) => {
    text(request)
      .then(forward)
      .then(
        ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
        () => response.destroy(),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    stop: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
