import { type ChainEvent, type Contracts, eventTopics, parseChainLog } from '@nifty/contracts/log'
import type { JsonRpcProvider, TopicFilter } from 'ethers'
import { quantity, readBlock } from './block.ts'
import type { RpcNodes } from './rpc-nodes.ts'

/** `at` is the time of its block; `logIndex` counts within the block. */
export type LoggedEvent = { event: ChainEvent; block: number; logIndex: number; txHash: string; at: Date }

type Blocks = { from: number; to: number }
type RawLog = { address: string; topics: string[]; data: string } & Record<
  'blockNumber' | 'blockHash' | 'logIndex' | 'transactionHash',
  string
>

/** After a refusal the range grows again by this share of its maximum with each query. */
const GROWTH = 0.01

/**
 * Reads the contracts' logs in ranges of at most `maxRange` blocks; after a node refused a range, half of it is read.
 * Every node has to return the same logs, because a capture follows from them.
 */
export function createLogReader({
  nodes,
  contracts,
  maxRange,
}: {
  nodes: RpcNodes
  contracts: Contracts
  maxRange: number
}) {
  let range = maxRange

  /**
   * The logs of the first blocks, up to `last`, or of the newest ones, from `first` on. Throws while the nodes differ.
   */
  async function read(blocks: Blocks, { topics = [eventTopics] as TopicFilter, newest = false } = {}) {
    const { from, to } = newest
      ? { from: Math.max(blocks.from, blocks.to - range + 1), to: blocks.to }
      : { from: blocks.from, to: Math.min(blocks.to, blocks.from + range - 1) }
    let responses: RawLog[][]
    try {
      responses = await nodes.all((provider) => getLogs(provider, { from, to }, topics))
    } catch (error) {
      if (from === to || !isRangeRefusal(error)) throw error
      range = Math.floor((to - from + 1) / 2)
      return read(blocks, { topics, newest })
    }
    range = Math.min(maxRange, range + Math.ceil(maxRange * GROWTH))
    const [own, ...others] = responses.map(identify)
    if (others.some((other) => other !== own))
      throw new Error(`The nodes have different logs in blocks ${from} to ${to}`)
    return { logs: await parse(responses[0]!), first: from, last: to }
  }

  /** The newest log with these topics; undefined when there is none. */
  async function findNewest({ from, to }: Blocks, topics: TopicFilter): Promise<LoggedEvent | undefined> {
    for (let newest = to; newest >= from; ) {
      const { logs, first } = await read({ from, to: newest }, { topics, newest: true })
      if (logs.length > 0) return logs.at(-1)
      newest = first - 1
    }
  }

  const getLogs = (provider: JsonRpcProvider, { from, to }: Blocks, topics: TopicFilter): Promise<RawLog[]> => {
    const address = [contracts.collection, contracts.delivery]
    return provider.send('eth_getLogs', [{ address, topics, fromBlock: quantity(from), toBlock: quantity(to) }])
  }

  async function parse(found: RawLog[]): Promise<LoggedEvent[]> {
    const times = new Map<string, Date>()
    const events: LoggedEvent[] = []
    for (const log of found) {
      const event = parseChainLog(log, contracts)
      if (!event) continue
      const block = Number(log.blockNumber)
      if (!times.has(log.blockHash)) times.set(log.blockHash, await timeOf(block, log.blockHash))
      const at = times.get(log.blockHash)!
      events.push({ event, block, logIndex: Number(log.logIndex), txHash: log.transactionHash, at })
    }
    return events.sort((one, other) => one.block - other.block || one.logIndex - other.logIndex)
  }

  async function timeOf(number: number, hash: string): Promise<Date> {
    const block = await nodes.any((provider) => readBlock(provider, number))
    if (block?.hash !== hash) throw new Error(`The node returned a log of another fork at block ${number}`)
    return block.at
  }

  return { read: (blocks: Blocks) => read(blocks), findNewest }
}

const identify = (logs: RawLog[]): string =>
  logs
    .map(({ blockHash, logIndex, transactionHash, address, topics, data }) =>
      [blockHash, Number(logIndex), transactionHash, address, ...topics, data].join(' ').toLowerCase(),
    )
    .sort()
    .join('\n')

/**
 * There is no code for it: providers limit blocks, logs, bytes or time, each with a message of its own. A rate limit is
 * no refusal of the range.
 */
export function isRangeRefusal(error: unknown): boolean {
  const { message } = (error as { error?: { message?: unknown } }).error ?? {}
  if (typeof message !== 'string' || /rate.?limit|too many requests|per second|quota|credits/i.test(message))
    return false
  return /range|blocks|results|logs|size|large|limit|time(d )?.?out/i.test(message)
}
