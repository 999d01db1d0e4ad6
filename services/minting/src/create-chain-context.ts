import { checkedAddress } from '@nifty/contracts/address'
import { signingKeyOf } from '@nifty/contracts/signing/key-setting'
import { createNode } from './chain/node.ts'
import { createSigners } from './chain/signer.ts'
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
  const { chainId, signerKeys } = config.chain
  const contracts = {
    collection: configuredAddress('CHAIN_COLLECTION', config.chain.collection),
    delivery: configuredAddress('CHAIN_DELIVERY', config.chain.delivery),
  }
  const { signaturesPerMinute: perMinute, ...settings } = config.transactions
  const signers = createSigners({ keys: signerKeys.map(signingKeyOf), chainId, contracts, perMinute, log })
  const node = createNode({ ...config.chain, contracts })
  const works = { mint: mintWork, delivery: deliveryWork }
  const index = createChainIndex({ db, contracts, log })
  return { db, node, signers, contracts, chainId, settings, log, works, index }
}

function configuredAddress(name: string, text: string) {
  const address = checkedAddress(text)
  if (!address) throw new Error(`${name} is not an address, or its checksum is wrong`)
  return address
}
