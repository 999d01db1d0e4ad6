import { isSame } from '../chain/finality.ts'
import type { Block, Heads, Receipt } from '../chain/node.ts'
import type { ChainContext } from './chain-context.ts'
import type { OpenTransaction } from './chain-transaction.store.ts'
import { findReceipt } from './track.ts'

/** What the chain had of the signers' transactions at the newest blocks. */
export type RecentReads = ReturnType<typeof createRecentReads>

/** Jobs of one interval start together: the newest blocks that one has read since then are those of all. */
export const sharedForMs = ({ pollMs }: { pollMs: number }) => pollMs / 4

/**
 * Reads nonces and receipts once for each block that may change them: providers bill by call. A receipt stays where it
 * is while each newest block descends from the one before; whether it is final is not decided here.
 */
export function createRecentReads({ node, settings }: ChainContext) {
  let heads: Heads = { newest: [], final: undefined }
  const minedNonces = new Map<string, number>()
  const finalNonces = new Map<string, number>()
  const receipts = new Map<string, Receipt>()

  /** Returns the newest final block. Keeps the receipts of these transactions. Throws when no node responds. */
  async function refresh(open: OpenTransaction[]): Promise<Block | undefined> {
    const ids = new Set(open.map(({ id }) => id))
    for (const id of receipts.keys()) if (!ids.has(id)) receipts.delete(id)
    const before = heads
    heads = await node.heads({ maxAgeMs: sharedForMs(settings) })
    if (!isSame(before.newest, heads.newest)) {
      minedNonces.clear()
      if (!(await node.isContinued(before, heads))) receipts.clear()
    }
    if (before.final?.hash !== heads.final?.hash) finalNonces.clear()
    return heads.final
  }

  /** The numbers of an account's transactions in all blocks and in the final ones. */
  async function noncesOf(address: string): Promise<{ minedNonce: number; finalNonce: number }> {
    const { final } = heads
    const [minedNonce, finalNonce] = await Promise.all([
      minedNonces.get(address) ?? node.nonceAt(address, 'latest'),
      finalNonces.get(address) ?? (final ? node.nonceAt(address, final.number) : 0),
    ])
    minedNonces.set(address, minedNonce)
    finalNonces.set(address, finalNonce)
    return { minedNonce, finalNonce }
  }

  /** `settledBlock`: what is up to here is read again, because it is about to become final. */
  async function receiptOf(transaction: OpenTransaction, settledBlock: number): Promise<Receipt | undefined> {
    const known = receipts.get(transaction.id)
    if (known && known.block > settledBlock) return known
    receipts.delete(transaction.id)
    const receipt = await findReceipt({ node }, transaction)
    if (receipt && heads.newest.every((block) => block && block.number >= receipt.block))
      receipts.set(transaction.id, receipt)
    return receipt
  }

  return { refresh, noncesOf, receiptOf }
}
