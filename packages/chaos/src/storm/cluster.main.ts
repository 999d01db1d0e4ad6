import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runLauncher } from '@nifty/local/launcher'
import type { StartStore } from '@nifty/local/start'
import { FOLDER_VARIABLE, SEED_VARIABLE } from './folder.ts'
import { secondSigner } from './rotation.ts'
import { startRpcProxy } from './rpc-proxy.ts'

const preload = pathToFileURL(join(import.meta.dirname, 'failpoints/preload.ts')).href

/** The cluster's launcher, with failpoints in every process and a faulty node in front of the chain's. */
async function load(): Promise<StartStore> {
  const { startCluster } = await import('@nifty/local/cluster/cluster')
  return async (options) => {
    const rpcUrl = await startRpcProxy({
      target: options.env.CHAIN_RPC_URL!,
      folder: process.env[FOLDER_VARIABLE]!,
      seed: process.env[SEED_VARIABLE]!,
    })
    const keys = [options.env.CHAIN_SIGNER_KEY, secondSigner(process.env[SEED_VARIABLE]!).privateKey]
    const env = { ...options.env, CHAIN_RPC_URL: rpcUrl, CHAIN_SIGNER_KEY: keys.join(',') }
    return startCluster({ ...options, env }, { nodeArguments: () => ['--import', preload] })
  }
}

await runLauncher({ load, needs: { kafka: true, redis: true } }, process.env)
