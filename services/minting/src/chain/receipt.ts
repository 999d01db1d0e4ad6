import type { JsonRpcProvider } from 'ethers'

export type Receipt = { hash: string; block: number; blockHash: string; succeeded: boolean }

export async function readReceipt(provider: JsonRpcProvider, hash: string): Promise<Receipt | undefined> {
  const raw = await provider.send('eth_getTransactionReceipt', [hash])
  if (!raw?.blockNumber) return undefined
  return { hash, block: Number(raw.blockNumber), blockHash: raw.blockHash, succeeded: BigInt(raw.status) === 1n }
}

/** What a mined transaction cost, in wei; undefined without a receipt. */
export async function readFee(provider: JsonRpcProvider, hash: string): Promise<bigint | undefined> {
  const raw = await provider.send('eth_getTransactionReceipt', [hash])
  return raw?.blockNumber ? BigInt(raw.gasUsed) * BigInt(raw.effectiveGasPrice) : undefined
}
