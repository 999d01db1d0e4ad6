import type { JsonRpcProvider } from 'ethers'
import { readBlock } from './block.ts'
import type { Fees } from './signer.ts'

const GWEI = 1_000_000_000n

/** Fees of the newest block, in wei per gas. */
export async function readFees(provider: JsonRpcProvider): Promise<Fees & { baseFee: bigint }> {
  const [head, tip] = await Promise.all([
    readBlock(provider, 'latest'),
    provider.send('eth_maxPriorityFeePerGas', []).then(BigInt, () => 30n * GWEI),
  ])
  const { baseFee } = head!
  return { baseFee, maxPriorityFeePerGas: tip, maxFeePerGas: baseFee * 2n + tip }
}
