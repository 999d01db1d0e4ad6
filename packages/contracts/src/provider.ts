import { inSpan } from '@nifty/service-kit/base/trace'
import { FetchRequest, type JsonRpcPayload, JsonRpcProvider, type JsonRpcResult, Network } from 'ethers'

export const LOCAL_CHAIN_ID = 31337
const POLYGON_CHAIN_ID = 137
/** Time limit of a request. The default of ethers is five minutes. */
export const REQUEST_MS = 10_000

/**
 * A JSON-RPC provider for one node. The network is given instead of detected, because ethers' own definition of Polygon
 * calls a public gas station for fees. Without batching or caching: each result is the node's current one.
 */
export function connectChain({
  rpcUrl,
  chainId = LOCAL_CHAIN_ID,
  requestMs = REQUEST_MS,
}: {
  rpcUrl: string
  chainId?: number
  /** Time limit of a request. */
  requestMs?: number
}) {
  const network = new Network(chainId === POLYGON_CHAIN_ID ? 'polygon' : `chain-${chainId}`, chainId)
  const request = new FetchRequest(rpcUrl)
  request.timeout = requestMs
  // The caller retries, or uses another node; ethers would repeat a 429 for the whole timeout.
  request.setThrottleParams({ maxAttempts: 1 })
  return new TracedProvider(request, network, {
    staticNetwork: network,
    pollingInterval: 50,
    batchMaxCount: 1,
    cacheTimeout: -1,
  })
}

/**
 * A client span per JSON-RPC call, with the name of its method (OpenTelemetry's convention for RPC). It starts here, in
 * the caller's context: ethers sends all queued calls from one timer, which has the context of the call that set it.
 */
class TracedProvider extends JsonRpcProvider {
  override send(method: string, params: unknown[] | Record<string, unknown>): Promise<any> {
    const attributes = { 'rpc.system': 'jsonrpc' }
    return inSpan({ name: method, kind: 'client', attributes }, () => super.send(method, params))
  }

  /** As in `JsonRpcProvider`, which decodes UTF-8 in JavaScript instead of natively. */
  override async _send(payload: JsonRpcPayload | JsonRpcPayload[]): Promise<JsonRpcResult[]> {
    const request = this._getConnection()
    request.body = JSON.stringify(payload)
    request.setHeader('content-type', 'application/json')
    const response = await request.send()
    response.assertOk()
    const results = JSON.parse(Buffer.from(response.body ?? '').toString())
    return Array.isArray(results) ? results : [results]
  }
}

/** Throws when the node serves another chain id than configured. */
export async function confirmChain(provider: JsonRpcProvider): Promise<void> {
  const { chainId: expected } = await provider.getNetwork()
  const actual = BigInt(await provider.send('eth_chainId', []))
  if (actual !== expected) throw new Error(`The chain node serves chain ${actual}, but ${expected} is configured`)
}
