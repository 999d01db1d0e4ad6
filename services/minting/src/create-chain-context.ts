import { checkedAddress, createNode } from './chain/node.ts'
import { createSigner } from './chain/signer.ts'
import { createChainIndex } from './chain-index/chain-index.ts'
import type { ChainContext } from './chain-transactions/chain-context.ts'
import type { Config } from './config.ts'
import { deliveryWork } from './deliveries/delivery.work.ts'
import { mintWork } from './mints/mint.work.ts'

/** Throws for a contract address with a wrong checksum. */
export function createChainContext({
  db,
  log,
  config,
}: Pick<ChainContext, 'db' | 'log'> & { config: Config }): ChainContext {
  const { rpcUrl, secondRpcUrl, chainId, signerKey, finalityDepth, fromBlock } = config.chain
  const contracts = {
    collection: configuredAddress('CHAIN_COLLECTION', config.chain.collection),
    delivery: configuredAddress('CHAIN_DELIVERY', config.chain.delivery),
  }
  const { signaturesPerMinute: perMinute, ...settings } = config.transactions
  const signer = createSigner({ privateKey: signerKey, chainId, contracts, perMinute })
  const nodeOptions = { rpcUrl, secondRpcUrl, chainId, finalityDepth, fromBlock, contracts }
  const node = createNode({ ...nodeOptions, signer: signer.address })
  const works = { mint: mintWork, delivery: deliveryWork }
  const index = createChainIndex({ db, contracts, log })
  return { db, node, signer, contracts, chainId, settings, log, works, index }
}

function configuredAddress(name: string, text: string) {
  const address = checkedAddress(text)
  if (!address) throw new Error(`${name} is not an address, or its checksum is wrong`)
  return address
}
