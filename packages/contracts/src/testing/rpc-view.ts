import { keccak256, toQuantity } from 'ethers'

/**
 * What a faulty node sees of the chain: blocks up to `head`, and from `forkFrom` to `forkTo` those of another fork.
 * `hidesLogs`: blocks without any logs, except in receipts.
 */
export type View = { head?: number; forkFrom?: number; forkTo?: number; hidesLogs?: boolean }

type Call = { method: string; params: unknown[] }
type Answer = Record<string, unknown>
type Located = { blockNumber?: string | null; blockHash?: string | null }

const MINUS_FINALIZED = 2

/** Responds to calls as a node with the given view would. */
export function createView(upstream: (call: Call) => Promise<Answer>) {
  /** A tag of a block that this node would resolve otherwise than the real one. */
  const resolve = (tag: unknown, head: number) => {
    if (tag === 'latest' || tag === 'pending') return toQuantity(head)
    return tag === 'finalized' ? toQuantity(Math.max(0, head - MINUS_FINALIZED)) : tag
  }

  return async (
    { method, params }: Call,
    { head, forkFrom, forkTo = Number.POSITIVE_INFINITY, hidesLogs = false }: View,
  ): Promise<Answer> => {
    const isBehind = head !== undefined
    if (isBehind && method === 'eth_blockNumber') return { result: toQuantity(head) }
    const seen = isBehind
      ? params.map((value) =>
          isFilter(value) ? { ...value, toBlock: resolve(value.toBlock, head) } : resolve(value, head),
        )
      : params
    const answer = await upstream({ method, params: seen })
    const { result } = answer
    const isVisible = (block: string | null | undefined) => !isBehind || !block || Number(block) <= head
    const isForked = (block: string | null | undefined) =>
      forkFrom !== undefined && !!block && Number(block) >= forkFrom && Number(block) <= forkTo

    if (method === 'eth_getBlockByNumber') {
      const block = result as { number: string; hash: string } | null
      if (!block || !isVisible(block.number)) return { result: null }
      const seen = hidesLogs ? { ...block, logsBloom: `0x${'0'.repeat(512)}` } : block
      return { result: isForked(block.number) ? { ...seen, hash: keccak256(block.hash) } : seen }
    }
    if (method === 'eth_getTransactionReceipt') {
      const place = (result as Located | null)?.blockNumber
      return isVisible(place) && !isForked(place) ? answer : { result: null }
    }
    if (hidesLogs && method === 'eth_getLogs') return { result: [] }
    if (method === 'eth_getLogs' && Array.isArray(result))
      return { result: result.filter(({ blockNumber }: Located) => isVisible(blockNumber) && !isForked(blockNumber)) }
    return answer
  }
}

const isFilter = (value: unknown): value is { toBlock: unknown } =>
  typeof value === 'object' && value !== null && 'toBlock' in value
