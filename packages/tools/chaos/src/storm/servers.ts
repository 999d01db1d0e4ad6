import type { connectCluster } from '@nifty/testkit/cluster'
import type { RunFile } from '@nifty/testkit/run-file'
import { databaseServerOf } from '../campaign/databases.ts'

export type Servers = ReturnType<typeof connectServers>

/** The servers that the store depends on, and the chain's node without the faults in front of it. */
export function connectServers(
  { chainRpcUrl }: RunFile,
  { folder, cluster }: { folder: string; cluster: ReturnType<typeof connectCluster> },
) {
  const stops: (() => Promise<void>)[] = []

  async function chain<Result = unknown>(method: string, params: unknown[]): Promise<Result> {
    const response = await fetch(chainRpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result: Result; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  return {
    chain,
    raiseBaseFee: async (factor: number) => {
      const head = await chain<{ baseFeePerGas: string }>('eth_getBlockByNumber', ['latest', false])
      const raised = BigInt(head.baseFeePerGas) * BigInt(factor)
      await chain('anvil_setNextBlockBaseFeePerGas', [`0x${raised.toString(16)}`])
    },
    kill: {
      kafka: async () => {
        await cluster.killServer('kafka')
        const { stop } = await cluster.startServer.kafka()
        stops.push(stop)
      },
      /** Its supervisor starts it again. */
      postgres: async () => {
        const { pid } = await databaseServerOf(folder)
        process.kill(pid, 'SIGKILL')
      },
    },
    /** Stops the servers that were started here. */
    stop: async () => {
      for (const stop of stops) await stop()
    },
  }
}
