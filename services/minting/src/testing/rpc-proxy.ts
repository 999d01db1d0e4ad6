import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `before`: the request is lost. `after`: the node handles it, and its response is lost. */
export type Fault = 'before' | 'after' | undefined

/** A proxy between the service and the chain node that fails the methods that a test selects. */
export async function startRpcProxy(target: string) {
  let faultOf: (method: string) => Fault = () => undefined
  let override: (method: string) => unknown = () => undefined
  const methods: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, id } = JSON.parse(body)
    methods.push(method)
    const fault = faultOf(method)
    if (fault === 'before') return void request.socket.destroy()
    const result = override(method)
    if (result !== undefined) return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    const upstream = await fetch(target, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    const text = await upstream.text()
    if (fault === 'after') return void request.socket.destroy()
    response.setHeader('content-type', 'application/json')
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Methods of all requests so far, in order. */
    methods,
    /** `*` stands for all methods. */
    fail: (faults: Record<string, Fault>) => {
      faultOf = (method) => faults[method] ?? faults['*']
    },
    respond: (results: Record<string, unknown>) => {
      override = (method) => results[method]
    },
    heal: () => {
      faultOf = () => undefined
      override = () => undefined
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
