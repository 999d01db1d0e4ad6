import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createView, type View } from './rpc-view.ts'

/**
 * `before`: the request is lost. `after`: the node handles it, and its response is lost. `silent`: no response until
 * `heal`, which closes the connection.
 */
export type Fault = 'before' | 'after' | 'silent' | undefined
/** An error of JSON-RPC, as `{"error": …}` of the response. */
export type RpcError = { code: number; message: string; data?: unknown }
type Call = { method: string; params: unknown[] }
/** Undefined: the node itself responds. */
type Rule = (call: Call) => { result: unknown } | { error: RpcError } | undefined

/** A proxy between the service and the chain node that fails, refuses or changes what a test selects. */
export async function startRpcProxy(target: string) {
  let faultOf: (method: string) => Fault = () => undefined
  let rules: Rule[] = []
  let view: View = {}
  const methods: string[] = []
  const silent = new Set<Socket>()

  async function upstream(call: Call): Promise<Record<string, unknown>> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })
    const response = await fetch(target, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    return (await response.json()) as Record<string, unknown>
  }
  const viewed = createView(upstream)

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, params, id } = JSON.parse(body)
    methods.push(method)
    const fault = faultOf(method)
    if (fault === 'before') return void request.socket.destroy()
    if (fault === 'silent') return void silent.add(request.socket)
    const ruled = rules.map((rule) => rule({ method, params })).find((outcome) => outcome !== undefined)
    const answer = ruled ?? (await viewed({ method, params }, view))
    if (fault === 'after') return void request.socket.destroy()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ...answer, jsonrpc: '2.0', id }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  /** Waits until no request has arrived for a while: what ran against the former state has ended. */
  const untilQuiet = async (ms = 100) => {
    for (let seen = -1; seen !== methods.length; await sleep(ms)) seen = methods.length
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Methods of all requests so far, in order. */
    methods,
    untilQuiet,
    /** By method; `*` stands for all methods. */
    fail: (faults: Record<string, Fault>) => {
      faultOf = (method) => faults[method] ?? faults['*']
    },
    /** The result of a method, instead of the node's; null for a receipt or a block that the node does not have. */
    respond: (results: Record<string, unknown>) => {
      rules.push(({ method }) => (method in results ? { result: results[method] } : undefined))
    },
    /** Responds to a method with an error of JSON-RPC; `*` stands for all methods. */
    refuse: (errors: Record<string, RpcError>) => {
      rules.push(({ method }) => {
        const error = errors[method] ?? errors['*']
        return error && { error }
      })
    },
    /** For everything else: responds by the parameters of the call. */
    intercept: (rule: Rule) => {
      rules.push(rule)
    },
    /** A node whose newest block is this one. */
    stayAt: (head: number) => {
      view = { ...view, head }
    },
    /** A node on another fork: from this block on, or up to `to`, other blocks without our transactions. */
    forkFrom: (block: number, to?: number) => {
      view = { ...view, forkFrom: block, forkTo: to }
    },
    /** A node that has no logs, except in receipts. */
    hideLogs: () => {
      view = { ...view, hidesLogs: true }
    },
    heal: () => {
      faultOf = () => undefined
      rules = []
      view = {}
      for (const socket of silent) socket.destroy()
      silent.clear()
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
