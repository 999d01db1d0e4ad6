import { runLauncher } from '@nifty/local/launcher'
import type { StartStore } from '@nifty/local/start'
import { startRpcCounter } from './rpc-counter.ts'

/** The cluster's launcher, with a counter of RPC calls in front of the chain's node. Replies to each message with the count. */
async function load(): Promise<StartStore> {
  const { startCluster } = await import('@nifty/local/cluster/cluster')
  return async (options) => {
    const counter = await startRpcCounter(options.env.CHAIN_RPC_URL!)
    process.on('message', () => process.send?.({ rpcCalls: counter.calls() }))
    const cluster = await startCluster({ ...options, env: { ...options.env, CHAIN_RPC_URL: counter.url } })
    return { ...cluster, stop: () => cluster.stop().finally(counter.stop) }
  }
}

await runLauncher({ load, needs: { kafka: true, redis: true } }, process.env)
