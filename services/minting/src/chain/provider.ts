import { inSpan } from '@nifty/service-kit/traces/trace'
import { FetchRequest, JsonRpcProvider, Network } from 'ethers'

export const LOCAL_CHAIN_ID = 31337
const POLYGON_CHAIN_ID = 137
/** A node that stays silent is asked again later; ethers alone would wait for five minutes. */
const ANSWER_WITHIN_MS = 10_000

/**
 * A connection that asks only the node it was given. The network is named here and not detected, because ethers'
 * own entry for Polygon asks a public gas station for fees; nothing is batched or cached, so that an answer is
 * always the node's present one.
 */
export function connectChain({ rpcUrl, chainId = LOCAL_CHAIN_ID }: { rpcUrl: string; chainId?: number }) {
  const network = new Network(chainId === POLYGON_CHAIN_ID ? 'polygon' : `chain-${chainId}`, chainId)
  const request = new FetchRequest(rpcUrl)
  request.timeout = ANSWER_WITHIN_MS
  request.getUrlFunc = tracedRequest
  return new JsonRpcProvider(request, network, {
    staticNetwork: network,
    pollingInterval: 50,
    batchMaxCount: 1,
    cacheTimeout: -1,
  })
}

const ask = FetchRequest.createGetUrlFunc()

/** Each call is a span of the work that makes it, named as the node calls it. */
const tracedRequest: typeof ask = (request, signal) =>
  inSpan({ name: `ask chain ${methodOf(request.body)}`, kind: 'client' }, () => ask(request, signal))

const methodOf = (body: Uint8Array | null) =>
  /"method":"(\w+)"/.exec(Buffer.from(body ?? []).toString('latin1', 0, 200))?.[1] ?? ''

/** Throws when the node serves another chain than configured: nothing signed for ours would count there. */
export async function confirmChain(provider: JsonRpcProvider): Promise<void> {
  const { chainId: expected } = await provider.getNetwork()
  const actual = BigInt(await provider.send('eth_chainId', []))
  if (actual !== expected) throw new Error(`The chain's node serves chain ${actual}, but ${expected} is configured`)
}
