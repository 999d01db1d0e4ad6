import type { JsonRpcProvider } from 'ethers'
import { type Block, readBlock } from './block.ts'
import type { RpcNodes } from './rpc-nodes.ts'

/** The newest block of each node, undefined of one that does not respond, and the newest one that is final. */
export type Heads = { newest: (Block | undefined)[]; final: Block | undefined }

/** Why finality waits, and since when (`performance.now()`). */
export type FinalityWait = { reason: string; since: number }

/**
 * A block is final below the `finalized` tag, `depth` deep, and with the same hash on every node. While a node does not
 * respond, or the nodes differ, nothing new is final: nothing is captured and nothing released.
 */
export function createFinality({ nodes, depth }: { nodes: RpcNodes; depth: number }) {
  const progress = createProgress()
  let lastRead: { at: number; heads: Promise<Heads> } | undefined
  /** The newest final block, for as long as every node has the same newest block. */
  let lastAgreed: { number: number; newest: Heads['newest']; block: Block } | undefined

  /** What was read within `maxAgeMs` is used again. Throws when no node responds. */
  function heads({ maxAgeMs = 0 } = {}): Promise<Heads> {
    const now = performance.now()
    if (lastRead && now - lastRead.at < maxAgeMs) return lastRead.heads
    const read = { at: now, heads: readHeads() }
    lastRead = read
    read.heads.catch(() => {
      if (lastRead === read) lastRead = undefined
    })
    return read.heads
  }

  async function readHeads(): Promise<Heads> {
    const responses = await nodes.each((provider) => readHeight(provider, depth))
    const newest = responses.map((response) => (response.status === 'fulfilled' ? response.value.head : undefined))
    return { newest, final: await findFinal(responses, newest) }
  }

  /** Throws when no node responds; undefined while no block is final. */
  async function findFinal(
    heights: PromiseSettledResult<{ height: number }>[],
    newest: Heads['newest'],
  ): Promise<Block | undefined> {
    const known = heights.filter((height) => height.status === 'fulfilled').map(({ value }) => value.height)
    const missing = heights.findIndex(({ status }) => status === 'rejected')
    const expected = Math.max(-1, ...known)
    if (missing >= 0) progress.record({ expected, reason: `node ${missing + 1} does not respond` })
    if (known.length === 0) throw (heights[0] as PromiseRejectedResult).reason
    if (missing >= 0) return undefined

    const number = Math.min(...known)
    if (number < 0) return undefined
    const isKnown = lastAgreed?.number === number && isSame(lastAgreed.newest, newest)
    const block = isKnown ? lastAgreed!.block : await agreedBlock(number)
    lastAgreed = block && { number, newest, block }
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

  /** True when the newest block of each node descends from the one before. False while that is unknown. */
  async function isContinued({ newest: before }: Heads, { newest }: Heads): Promise<boolean> {
    if (!newest.every((block, place) => block && before[place])) return false
    const continued = await nodes.each(async (provider, place) => {
      const [old, block] = [before[place]!, newest[place]!]
      if (block.hash === old.hash || block.parentHash === old.hash) return true
      return (await readBlock(provider, old.number))?.hash === old.hash
    })
    return continued.every((each) => each.status === 'fulfilled' && each.value)
  }

  return { heads, isContinued, agreedBlock, wait: progress.wait }
}

/** True when every node responded, with the same newest block as before. */
export const isSame = (before: Heads['newest'], newest: Heads['newest']): boolean =>
  newest.every((block, place) => block && block.hash === before[place]?.hash)

/** Zero while blocks become final. */
export const waitSeconds = (wait: FinalityWait | undefined): number =>
  wait ? (performance.now() - wait.since) / 1_000 : 0

/** The newest block of one node, and the number of that which it alone would call final; -1 while there is none. */
async function readHeight(provider: JsonRpcProvider, depth: number) {
  const [head, finalized] = await Promise.all([readBlock(provider, 'latest'), readBlock(provider, 'finalized')])
  return { head, height: head && finalized ? Math.min(finalized.number, head.number - depth) : -1 }
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
