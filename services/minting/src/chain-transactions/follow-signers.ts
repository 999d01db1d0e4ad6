import type { Block } from '../chain/node.ts'
import type { ChainContext } from './chain-context.ts'
import { type FollowedSigner, readFollowed } from './chain-transaction.store.ts'
import { ensureSigners } from './choose-signer.ts'
import { haltSigner } from './halt-signer.ts'
import { createRecentReads, type RecentReads } from './recent-reads.ts'
import { retireSigner } from './signer.store.ts'
import { isRevoked } from './signer.ts'
import { trackTransaction } from './track.ts'

/** How often the nonces of an active signer are read while it has no open transaction. */
const IDLE_POLL_MS = 60_000

/**
 * Follows the open transactions of every signer, whether its key is configured or not. An error with one signer or
 * transaction does not delay the others. Returns true when it should run again at once.
 */
export function createFollower(context: ChainContext) {
  const { db, signers, contracts } = context
  const reads = createRecentReads(context)
  const polledAt = new Map<string, number>()
  /** The final block at which a signer's roles were read last. */
  const rolesReadAt = new Map<string, number>()
  return async (): Promise<boolean> => {
    const errors: unknown[] = []
    let busy = false
    const { signers: rows, lastBlock } = await readFollowed(db, contracts.collection)
    // A key that is new, or retired: its row is looked for, and stored for the next run.
    if (signers.addresses.some((address) => !rows.some((row) => row.address === address))) await ensureSigners(context)
    const isIdle = ({ address, state, open }: FollowedSigner) =>
      open.length === 0 &&
      state === 'active' &&
      performance.now() - (polledAt.get(address) ?? -IDLE_POLL_MS) < IDLE_POLL_MS
    const followed = rows.filter((row) => !isIdle(row))
    if (followed.length === 0) return false
    const final = await reads.refresh(followed.flatMap(({ open }) => open))
    for (const row of followed) {
      try {
        if (await followSigner(context, row, { final, lastBlock, reads, rolesReadAt })) busy = true
        polledAt.set(row.address, performance.now())
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
    return busy
  }
}

async function followSigner(
  context: ChainContext,
  row: FollowedSigner,
  {
    final,
    lastBlock,
    reads,
    rolesReadAt,
  }: { final: Block | undefined; lastBlock: number; reads: RecentReads; rolesReadAt: Map<string, number> },
): Promise<boolean> {
  const { address, open } = row
  const finalBlock = final?.number ?? -1
  const settledBlock = Math.min(finalBlock, lastBlock)
  const { minedNonce, finalNonce } = await reads.noncesOf(address)
  // A removed signer signs nothing: what it has in blocks becomes final all the same, and then it is idle.
  const isMined = open.length > 0 && open.every(({ state }) => state === 'mined')
  if (final && !(isMined && row.state === 'active') && rolesReadAt.get(address) !== final.number) {
    if (await retireIfRevoked(context, row, final)) return true
    rolesReadAt.set(address, final.number)
  }

  if (finalNonce > row.nextNonce && row.state !== 'retired') {
    const reason = `The chain has ${finalNonce} transactions of the key, the database has ${row.nextNonce}`
    await haltSigner(context, address, { reason, stillHolds: async (_, { nextNonce }) => finalNonce > nextNonce })
  }
  let busy = false
  const errors: unknown[] = []
  // Read together, acted on in the order of their nonces.
  const receipts = await Promise.allSettled(
    open.map(async (each) => (each.nonce < minedNonce ? reads.receiptOf(each, settledBlock) : undefined)),
  )
  for (const [index, transaction] of open.entries())
    try {
      const receipt = settledValue(receipts[index]!)
      const heights = { minedNonce, finalNonce, finalBlock, settledBlock, receipt }
      if (await trackTransaction(context, row, transaction, heights)) busy = true
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
  return busy
}

function settledValue<Value>(settled: PromiseSettledResult<Value>): Value {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

/** Returns true after the signer was retired: its transactions are then followed as those of a retired one. */
async function retireIfRevoked({ db, node, log }: ChainContext, row: FollowedSigner, final: Block): Promise<boolean> {
  if (row.state === 'retired') return false
  const roles = await node.rolesOf(row.address, final.number)
  if (!isRevoked(row, { number: final.number, roles }) || !(await retireSigner(db, row.address, final.number)))
    return false
  log.warn({ signer: row.address, block: final.number }, 'signer retired: the contracts accept it no more')
  return true
}
