import type { ClusterExtension } from '@nifty/testkit/cluster-extension'
import { startRpcCounter } from './rpc-counter.ts'

/** A counter of RPC calls in front of the chain's node. The launcher replies to each message with the count. */
export const extendCluster: ClusterExtension = async (env) => {
  const counter = await startRpcCounter(env.CHAIN_RPC_URL!)
  process.on('message', () => process.send?.({ rpcCalls: counter.calls() }))
  return { env: { CHAIN_RPC_URL: counter.url }, stop: counter.stop }
}
