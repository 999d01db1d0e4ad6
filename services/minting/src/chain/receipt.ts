import type { JsonRpcProvider } from 'ethers'

export type Receipt = { hash: string; block: number; blockHash: string; succeeded: boolean }

export async function readReceipt(provider: JsonRpcProvider, hash: string): Promise<Receipt | undefined> {
  const raw = await provider.send('eth_getTransactionReceipt', [hash])
  if (!raw?.blockNumber) return undefined
  return { hash, block: Number(raw.blockNumber), blockHash: raw.blockHash, succeeded: BigInt(raw.status) === 1n }
}
