import { deployContracts } from '@nifty/minting/chain/deploy'
import { checkedAddress } from '@nifty/minting/chain/node'
import { connectChain } from '@nifty/minting/chain/provider'
import { computeAddress } from 'ethers'
import type { Command } from './command.ts'

const POLYGON = 137

/** Needs no store: it is what a store on a real chain is configured with. */
export const contractCommands: Record<string, Command> = {
  'deploy-contracts': {
    usage: '<signer address> <base uri>',
    about: 'puts the contracts on CHAIN_RPC_URL with CHAIN_DEPLOYER_KEY, and prints what to configure',
    changes: 'unsigned',
    run: async (_store, args) => {
      const signerAddress = checkedAddress(args[0]!)
      if (!signerAddress) throw new Error(`${args[0]} is not an address, or its checksum is wrong`)
      const baseUri = args[1]!.replace(/\/+$/, '')
      if (!/^https?:\/\/.+\/api\/tokens$/.test(baseUri))
        throw new Error('The base uri is where the store answers metadata: https://<your store>/api/tokens')
      const { rpcUrl, chainId, deployerKey } = readChain(process.env)
      if (computeAddress(deployerKey) === signerAddress)
        throw new Error('The deployer owns the contracts: take a key of its own, which you keep offline afterwards')

      const provider = connectChain({ rpcUrl, chainId })
      try {
        const contracts = await deployContracts({ provider, deployerKey, signerAddress, baseUri })
        return [
          `CHAIN_COLLECTION=${contracts.collection}`,
          `CHAIN_DELIVERY=${contracts.delivery}`,
          `CHAIN_FROM_BLOCK=${contracts.fromBlock}`,
          ...(contracts.fromBlock === 0
            ? ['# The node does not remember. Any block before the first contract will do; 0 takes long to read.']
            : []),
        ].join('\n')
      } finally {
        provider.destroy()
      }
    },
  },
}

function readChain({ CHAIN_RPC_URL, CHAIN_DEPLOYER_KEY, CHAIN_ID }: NodeJS.ProcessEnv) {
  if (!CHAIN_RPC_URL || !CHAIN_DEPLOYER_KEY) throw new Error('CHAIN_RPC_URL and CHAIN_DEPLOYER_KEY must be set')
  if (!/^0x[0-9a-fA-F]{64}$/.test(CHAIN_DEPLOYER_KEY))
    throw new Error('CHAIN_DEPLOYER_KEY is not a key: 0x and 64 hex digits')
  return { rpcUrl: CHAIN_RPC_URL, deployerKey: CHAIN_DEPLOYER_KEY, chainId: CHAIN_ID ? Number(CHAIN_ID) : POLYGON }
}
