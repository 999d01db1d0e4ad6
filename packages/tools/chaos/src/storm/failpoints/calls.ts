import http, { type ClientRequest } from 'node:http'
import { internalUrlVariable, serviceNames } from '@nifty/api/services'
import type { Failpoints } from './failpoint.ts'

/** Writing requests to the card processor. */
const processorCalls: [RegExp, string][] = [
  [/^\/v1\/checkout\/sessions$/, 'open session'],
  [/^\/v1\/checkout\/sessions\/[^/]+\/expire$/, 'expire session'],
  [/^\/v1\/payment_intents\/[^/]+\/capture$/, 'capture'],
  [/^\/v1\/payment_intents\/[^/]+\/cancel$/, 'cancel hold'],
  [/^\/v1\/refunds$/, 'refund'],
]
const broadcast = /"method":"eth_sendRawTransaction"/

/** Points before and after each call to another service, the card processor, and each broadcast to the chain's node. */
export function wrapCalls({ hit }: Failpoints, env: NodeJS.ProcessEnv) {
  const services = new Map(
    serviceNames.flatMap((name) => {
      const url = env[internalUrlVariable(name)]
      return url ? [[new URL(url).host, name] as const] : []
    }),
  )
  const processor = env.STRIPE_API_URL && new URL(env.STRIPE_API_URL).host
  const node = env.CHAIN_RPC_URL && new URL(env.CHAIN_RPC_URL).host

  const real = http.request
  const request = (...args: Parameters<typeof real>) => {
    const sent = real(...args)
    const { host } = new URL(`http://${sent.getHeader('host')}`)
    if (host === processor && sent.method === 'POST') {
      const name = processorCalls.find(([path]) => path.test(sent.path.split('?', 1)[0]!))?.[1]
      if (name) atBothEnds(sent, `processor ${name}`, hit)
    }
    if (host === node) atBroadcast(sent, hit)
    const service = services.get(host)
    // The others are polls.
    if (service && sent.method !== 'GET') atBothEnds(sent, `call ${service}`, hit)
    return sent
  }
  http.request = request as typeof real
}

/** The request leaves the process with `end`. */
function atBothEnds(request: ClientRequest, point: string, hit: (point: string) => void) {
  hit(`${point}, before`)
  request.prependListener('response', () => hit(`${point}, after`))
}

function atBroadcast(request: ClientRequest, hit: (point: string) => void) {
  const write = request.write.bind(request)
  request.write = ((chunk: Uint8Array | string) => {
    if (broadcast.test(Buffer.from(chunk as string).toString('latin1', 0, 200))) atBothEnds(request, 'broadcast', hit)
    return write(chunk)
  }) as typeof request.write
}
