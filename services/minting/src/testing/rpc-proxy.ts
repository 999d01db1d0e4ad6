import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `before`: the node never hears of it. `after`: it does, and its answer is lost. */
export type Fault = 'before' | 'after' | undefined

/** Stands between the service and the chain's node, and loses what a test says. */
export async function startRpcProxy(target: string) {
  let faultOf: (method: string) => Fault = () => undefined
  let override: (method: string) => unknown = () => undefined
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, id } = JSON.parse(body)
    asked.push(method)
    const fault = faultOf(method)
    if (fault === 'before') return void request.socket.destroy()
    const result = override(method)
    if (result !== undefined) return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    const answer = await fetch(target, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    const text = await answer.text()
    if (fault === 'after') return void request.socket.destroy()
    response.setHeader('content-type', 'application/json')
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    lose: (faults: Record<string, Fault>) => {
      faultOf = (method) => faults[method] ?? faults['*']
    },
    answer: (results: Record<string, unknown>) => {
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
