import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ClusterExtension } from '@nifty/testkit/cluster-extension'
import { FOLDER_VARIABLE, NEXT_VARIABLE, OLDER_VARIABLE, SEED_VARIABLE } from './folder.ts'
import { startMailServer } from './mail-server.ts'
import { secondSigner } from './rotation.ts'
import { startRpcProxy } from './rpc-proxy.ts'

const preload = pathToFileURL(join(import.meta.dirname, 'failpoints/preload.ts')).href

const { [NEXT_VARIABLE]: next, [OLDER_VARIABLE]: older } = process.env

/**
 * Failpoints in every process, two faulty nodes in front of the chain's, and a faulty mail server in front of the
 * mailbox's. Where there is a next version, every process is of that one, but the first of one program.
 */
export const extendCluster: ClusterExtension = async ({ CHAIN_RPC_URL, CHAIN_SIGNER_KEY, SMTP_URL }) => {
  const shared = { folder: process.env[FOLDER_VARIABLE]!, seed: process.env[SEED_VARIABLE]! }
  const startNode = (name: string) => startRpcProxy({ target: CHAIN_RPC_URL!, name, ...shared })
  return {
    env: {
      CHAIN_RPC_URL: await startNode('rpc'),
      CHAIN_RPC_URL_2: await startNode('rpc-2'),
      SMTP_URL: await startMailServer({ target: SMTP_URL!, ...shared }),
      CHAIN_SIGNER_KEY: [CHAIN_SIGNER_KEY, secondSigner(shared.seed).privateKey].join(','),
    },
    nodeArguments: () => ['--import', preload],
    rootOf: (program, count) => (program === older && count === 1 ? undefined : next),
  }
}
