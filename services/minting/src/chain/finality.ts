import type { JsonRpcProvider } from 'ethers'
import { type Block, readBlock } from './block.ts'
import type { RpcNodes } from './rpc-nodes.ts'

/** Why finality waits, and since when (`performance.now()`). */
export type FinalityWait = { reason: string; since: number }

/**
 * A block is final below the `finalized` tag, `depth` deep, and with the same hash on every node. While a node does not
 * respond, or the nodes differ, nothing new is final: nothing is captured and nothing released.
 */
export function createFinality({ nodes, depth }: { nodes: RpcNodes; depth: number }) {
  const progress = createProgress()

  /** Throws when no node responds; undefined while no block is final. */
  async function finalBlock(): Promise<Block | undefined> {
    const heights = await nodes.each((provider) => readHeight(provider, depth))
    const known = heights.filter((height) => height.status === 'fulfilled').map(({ value }) => value)
    const missing = heights.findIndex(({ status }) => status === 'rejected')
    const expected = Math.max(-1, ...known)
    if (missing >= 0) progress.record({ expected, reason: `node ${missing + 1} does not respond` })
    if (known.length === 0) throw (heights[0] as PromiseRejectedResult).reason
    if (missing >= 0) return undefined

    const number = Math.min(...known)
    if (number < 0) return undefined
    const block = await agreedBlock(number)
    const reason = block ? 'a node is behind the other one' : `the nodes differ at block ${number}`
    progress.record({ expected, agreed: block?.number, reason })
    return block
  }

  /** The block that every node has; undefined when one has none or another one, or does not respond. */
  async function agreedBlock(number: number): Promise<Block | undefined> {
    const blocks = await nodes.each((provider) => readBlock(provider, number))
    const found = blocks.map((block) => (block.status === 'fulfilled' ? block.value : undefined))
    return found.every((block) => block && block.hash === found[0]?.hash) ? found[0] : undefined
  }

  return { finalBlock, agreedBlock, wait: progress.wait }
}

/** Zero while blocks become final. */
export const waitSeconds = (wait: FinalityWait | undefined): number =>
  wait ? (performance.now() - wait.since) / 1_000 : 0

/** The newest block that one node alone would call final; -1 while there is none. */
async function readHeight(provider: JsonRpcProvider, depth: number): Promise<number> {
  const [head, finalized] = await Promise.all([readBlock(provider, 'latest'), readBlock(provider, 'finalized')])
  return head && finalized ? Math.min(finalized.number, head.number - depth) : -1
}

/** Finality waits while a node alone would call newer blocks final, and no new block becomes final. */
export function createProgress(now = () => performance.now()) {
  let newest = -1
  let waiting: FinalityWait | undefined
  return {
    /** `agreed`: the newest final block of all nodes. `expected`: the newest one of any node, -1 when unknown. */
    record: ({ agreed = -1, expected, reason }: { agreed?: number; expected: number; reason: string }) => {
      const isNew = agreed > newest
      newest = Math.max(newest, agreed)
      if (agreed >= 0 && agreed >= expected) waiting = undefined
      else waiting = { reason, since: isNew || !waiting ? now() : waiting.since }
    },
    wait: () => waiting,
  }
}
