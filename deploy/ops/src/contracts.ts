import { DEFAULT_MOVES_PER_HOUR } from '@nifty/contracts/calls'
import { deployContracts } from '@nifty/contracts/deploy'
import { connectChain } from '@nifty/contracts/provider'
import { computeAddress } from 'ethers'
import { type Command, parseAddress } from './command.ts'
import { UsageError } from './store.ts'

export const POLYGON = 137
const MIN_MOVES_PER_HOUR = 20

/** Needs no store: its output configures a store on a public chain. */
export const contractCommands: Record<string, Command> = {
  'deploy-contracts': {
    usage: '<signer address> <base uri>',
    about: 'deploys the contracts to CHAIN_RPC_URL with CHAIN_DEPLOYER_KEY, and prints the settings',
    changes: 'unaudited',
    run: async (_store, args) => {
      const signerAddress = parseAddress(args[0]!)
      const baseUri = args[1]!.replace(/\/+$/, '')
      if (!/^https?:\/\/.+\/api\/tokens$/.test(baseUri))
        throw new UsageError('The base uri is the URL of token metadata: https://<your store>/api/tokens')
      const { rpcUrl, chainId, deployerKey, movesPerHour } = readChain(process.env)
      if (computeAddress(deployerKey) === signerAddress)
        throw new UsageError('The deployer owns the contracts: use a key of its own, and keep it offline afterwards')

      const provider = connectChain({ rpcUrl, chainId })
      try {
        const contracts = await deployContracts({ provider, deployerKey, signerAddress, baseUri, movesPerHour })
        return [
          `CHAIN_COLLECTION=${contracts.collection}`,
          `CHAIN_DELIVERY=${contracts.delivery}`,
          `CHAIN_FROM_BLOCK=${contracts.fromBlock}`,
          ...(contracts.fromBlock === 0
            ? ['# The node has no history. Use any block before the first contract; indexing from 0 takes long.']
            : []),
        ].join('\n')
      } finally {
        provider.destroy()
      }
    },
  },
}

export function readChain({ CHAIN_RPC_URL, CHAIN_DEPLOYER_KEY, CHAIN_ID, CHAIN_MOVES_PER_HOUR }: NodeJS.ProcessEnv) {
  if (!CHAIN_RPC_URL || !CHAIN_DEPLOYER_KEY) throw new UsageError('CHAIN_RPC_URL and CHAIN_DEPLOYER_KEY must be set')
  if (!/^0x[0-9a-fA-F]{64}$/.test(CHAIN_DEPLOYER_KEY))
    throw new UsageError('CHAIN_DEPLOYER_KEY is not a private key: 0x and 64 hex digits')
  const movesPerHour = CHAIN_MOVES_PER_HOUR ? Number(CHAIN_MOVES_PER_HOUR) : DEFAULT_MOVES_PER_HOUR
  if (!Number.isInteger(movesPerHour) || movesPerHour < MIN_MOVES_PER_HOUR)
    throw new UsageError(`CHAIN_MOVES_PER_HOUR is a whole number from ${MIN_MOVES_PER_HOUR}, the lines of a batch`)
  const chainId = CHAIN_ID ? Number(CHAIN_ID) : POLYGON
  return { rpcUrl: CHAIN_RPC_URL, deployerKey: CHAIN_DEPLOYER_KEY, chainId, movesPerHour }
}
