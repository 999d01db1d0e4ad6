import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runLauncher } from '@nifty/local/launcher'
import type { StartStore } from '@nifty/local/start'
import { FOLDER_VARIABLE, NEXT_VARIABLE, OLDER_VARIABLE, SEED_VARIABLE } from './folder.ts'
import { secondSigner } from './rotation.ts'
import { startRpcProxy } from './rpc-proxy.ts'

const preload = pathToFileURL(join(import.meta.dirname, 'failpoints/preload.ts')).href

const { [NEXT_VARIABLE]: next, [OLDER_VARIABLE]: older } = process.env

/** Where there is a next version, every process is of that one, but the first of one program. */
const rootOf = (program: string, count: number) => (program === older && count === 1 ? undefined : next)

/** The cluster's launcher, with failpoints in every process and two faulty nodes in front of the chain's. */
async function load(): Promise<StartStore> {
  const { startCluster } = await import('@nifty/local/cluster/cluster')
  return async (options) => {
    const startNode = (name: string) =>
      startRpcProxy({
        target: options.env.CHAIN_RPC_URL!,
        folder: process.env[FOLDER_VARIABLE]!,
        seed: process.env[SEED_VARIABLE]!,
        name,
      })
    const keys = [options.env.CHAIN_SIGNER_KEY, secondSigner(process.env[SEED_VARIABLE]!).privateKey]
    const env = {
      ...options.env,
      CHAIN_RPC_URL: await startNode('rpc'),
      CHAIN_RPC_URL_2: await startNode('rpc-2'),
      CHAIN_SIGNER_KEY: keys.join(','),
    }
    return startCluster({ ...options, env }, { nodeArguments: () => ['--import', preload], rootOf })
  }
}

await runLauncher({ load, needs: { kafka: true, redis: true } }, process.env)
