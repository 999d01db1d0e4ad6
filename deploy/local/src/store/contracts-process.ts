import { deployContracts } from '@nifty/minting/chain/deploy'
import { connectChain, LOCAL_CHAIN_ID } from '@nifty/minting/chain/provider'
import type { Deployed, DeployOrder } from './contracts.ts'

process.once('disconnect', () => process.exit(0))
process.once('message', async ({ rpcUrl, ...order }: DeployOrder) => {
  const provider = connectChain({ rpcUrl, chainId: LOCAL_CHAIN_ID })
  const answer = (deployed: Deployed) => process.send?.(deployed, () => process.exit(0))
  try {
    answer({ contracts: await deployContracts({ provider, ...order }) })
  } catch (error) {
    answer({ failed: error instanceof Error ? error.message : String(error) })
  }
})
