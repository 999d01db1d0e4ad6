import { connectChain } from '@nifty/minting/chain/provider'
import { type Command, need } from './command.ts'

/** Needs no store: it is what a store on a real chain is configured with. */
export const contractCommands: Record<string, Command> = {
  'deploy-contracts': {
    usage: '<signer address> <base uri>',
    about: 'puts the contracts on CHAIN_RPC_URL with CHAIN_DEPLOYER_KEY, and prints what to configure',
    changes: true,
    run: async (_store, args) => {
      const { CHAIN_RPC_URL, CHAIN_DEPLOYER_KEY, CHAIN_ID = '137' } = process.env
      if (!CHAIN_RPC_URL || !CHAIN_DEPLOYER_KEY) throw new Error('CHAIN_RPC_URL and CHAIN_DEPLOYER_KEY must be set')
      const provider = connectChain({ rpcUrl: CHAIN_RPC_URL, chainId: Number(CHAIN_ID) })
      try {
        const { deployContracts } = await import('@nifty/minting/chain/deploy')
        const { collection, delivery, fromBlock } = await deployContracts({
          provider,
          deployerKey: CHAIN_DEPLOYER_KEY,
          signerAddress: need(args, 0, 'signer address'),
          baseUri: need(args, 1, 'base uri').replace(/\/+$/, ''),
        })
        return `CHAIN_COLLECTION=${collection}\nCHAIN_DELIVERY=${delivery}\nCHAIN_FROM_BLOCK=${fromBlock}`
      } finally {
        provider.destroy()
      }
    },
  },
}
