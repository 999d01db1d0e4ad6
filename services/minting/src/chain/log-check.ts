import { type Contracts, eventTopics } from '@nifty/contracts/log'
import { getBytes, type JsonRpcProvider, keccak256 } from 'ethers'
import { quantity } from './block.ts'
import type { LoggedEvent } from './log-reader.ts'
import type { RpcNodes } from './rpc-nodes.ts'

/** Blocks at the end of a range that are checked: a node that is further behind does not call the range's end final. */
const CHECKED_BLOCKS = 64
/** With more of its 2,048 bits set, as in full blocks, a filter may contain nearly everything. */
const SPARSE_BITS = 512

type RawBlock = { hash: string; logsBloom?: string; transactions: string[] }
type RawLog = { address: string; topics: string[] }

/**
 * Returns a check that throws when the contracts' logs are missing in the last blocks of a range. A node behind a
 * balancer that lacks a block, or whose index of logs does, responds with an empty list instead of an error. A block
 * without logs whose filter may contain a contract is read once more by its hash, which a node without the block
 * refuses, and where the filter is sparse its receipts are read too.
 */
export function createLogCheck({ nodes, contracts }: { nodes: Pick<RpcNodes, 'any'>; contracts: Contracts }) {
  const addresses = [contracts.collection, contracts.delivery]
  const send = (method: string, params: unknown[]) =>
    nodes.any((provider: JsonRpcProvider) => provider.send(method, params))

  async function assertEmpty(number: number) {
    const block: RawBlock | null = await send('eth_getBlockByNumber', [quantity(number), false])
    if (!block) throw new Error(`The node returned logs up to block ${number} and does not have it`)
    const bloom = block.logsBloom === undefined ? undefined : getBytes(block.logsBloom)
    if (bloom && !addresses.some((address) => mayContain(bloom, address))) return
    const byHash: RawLog[] = await send('eth_getLogs', [
      { address: addresses, topics: [eventTopics], blockHash: block.hash },
    ])
    const isMissing = byHash.length > 0 || (bloom && countBits(bloom) < SPARSE_BITS && (await hasReceipts(block)))
    if (isMissing) throw new Error(`The node returned no logs of block ${number}, which has some`)
  }

  async function hasReceipts({ transactions }: RawBlock): Promise<boolean> {
    for (const hash of transactions) {
      const { logs = [] }: { logs?: RawLog[] } = (await send('eth_getTransactionReceipt', [hash])) ?? {}
      if (logs.some(isOurs)) return true
    }
    return false
  }

  const isOurs = ({ address, topics }: RawLog) =>
    addresses.some((own) => own.toLowerCase() === address.toLowerCase()) && eventTopics.includes(topics[0] ?? '')

  return async ({ logs, first, last }: { logs: LoggedEvent[]; first: number; last: number }) => {
    const filled = new Set(logs.map(({ block }) => block))
    const from = Math.max(first, last - CHECKED_BLOCKS + 1)
    const empty = Array.from({ length: last - from + 1 }, (_, at) => from + at).filter((block) => !filled.has(block))
    await Promise.all(empty.map(assertEmpty))
  }
}

/** The filter of a block (yellow paper, 4.4.1): three bits for each address and topic of its logs. */
function mayContain(bloom: Uint8Array, address: string): boolean {
  const hash = getBytes(keccak256(address))
  return [0, 2, 4].every((at) => {
    const bit = ((hash[at]! << 8) | hash[at + 1]!) & 2047
    return (bloom[bloom.length - 1 - (bit >> 3)]! >> (bit & 7)) & 1
  })
}

const countBits = (bytes: Uint8Array) =>
  bytes.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
