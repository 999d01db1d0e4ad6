import type { JsonRpcProvider } from 'ethers'

/** `baseFee` in wei per gas; `at` is the block's own time. */
export type Block = { number: number; hash: string; parentHash: string; baseFee: bigint; at: Date }
export type BlockTag = number | 'latest' | 'finalized'

/** The newest block, or the number of a final one. */
export type At = number | 'latest'

/** Undefined when the node does not have the block. */
export async function readBlock(provider: JsonRpcProvider, tag: BlockTag): Promise<Block | undefined> {
  const raw = await provider.send('eth_getBlockByNumber', [typeof tag === 'number' ? quantity(tag) : tag, false])
  if (!raw) return undefined
  return {
    number: Number(raw.number),
    hash: raw.hash,
    parentHash: raw.parentHash,
    baseFee: BigInt(raw.baseFeePerGas ?? 0),
    at: new Date(Number(raw.timestamp) * 1000),
  }
}

export const quantity = (value: number) => `0x${value.toString(16)}`
