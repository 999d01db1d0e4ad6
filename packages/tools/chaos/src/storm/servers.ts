import { setTimeout as sleep } from 'node:timers/promises'
import type { connectCluster } from '@nifty/testkit/cluster'
import type { RunFile } from '@nifty/testkit/run-file'
import { databaseServerOf } from '../campaign/databases.ts'

/** Without a transaction the base fee falls with each block. */
const HOLD_EVERY_MS = 250

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

  const baseFee = async () =>
    BigInt((await chain<{ baseFeePerGas: string }>('eth_getBlockByNumber', ['latest', false])).baseFeePerGas)
  const setBaseFee = (wei: bigint) => chain('anvil_setNextBlockBaseFeePerGas', [`0x${wei.toString(16)}`])

  return {
    chain,
    raiseBaseFee: async (factor: number) => setBaseFee((await baseFee()) * BigInt(factor)),
    /** Keeps the base fee of every block for a while at so many wei, then sets it back. */
    holdBaseFee: async (wei: bigint, ms: number) => {
      const usual = await baseFee()
      const until = performance.now() + ms
      while (performance.now() < until) {
        await setBaseFee(wei)
        await sleep(HOLD_EVERY_MS)
      }
      await setBaseFee(usual)
    },
    kill: {
      kafka: async () => {
        await cluster.signalServer('kafka', 'SIGKILL')
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
