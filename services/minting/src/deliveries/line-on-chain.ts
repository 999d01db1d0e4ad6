import { setTimeout as sleep } from 'node:timers/promises'
import { keyOf } from '@nifty/contracts/keys'
import { tokenOf } from '@nifty/events/shapes'
import { transfersOf } from '../chain/transfers.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { listSigners } from '../chain-transactions/signer.store.ts'

/** The index is usually less than one poll behind; callers of the internal endpoints time out after 5 s. */
const WAIT_FOR_INDEX_MS = 2_000
const READ_EVERY_MS = 100

/**
 * What the chain has of a line that this database has not signed. `unused`: never delivered, read at a final block that
 * the index has passed. `unknown`: the index is behind, the delivery is in a block that is not final, or a transaction
 * that may deliver the line waits for a block.
 */
export type LineOnChain = 'unused' | 'delivered' | 'unknown'

/** The newest final block, once the index has passed it; undefined when that takes too long. */
export async function settledBlock({ node, index }: Pick<ChainContext, 'node' | 'index'>): Promise<number | undefined> {
  const final = await node.finalBlock()
  if (!final) return undefined
  for (const until = performance.now() + WAIT_FOR_INDEX_MS; !(await index.hasPassed(final.number)); ) {
    if (performance.now() > until) return undefined
    await sleep(READ_EVERY_MS)
  }
  return final.number
}

/**
 * A restored database holds lines as unsigned that the chain has delivered since, so their rows alone prove nothing.
 * Throws when a node does not respond.
 */
export async function readLine(reader: Reader, lineId: string, settled?: number): Promise<LineOnChain> {
  const block = settled ?? (await settledBlock(reader))
  if (block === undefined) return 'unknown'
  const key = keyOf(lineId)
  if (await reader.node.isLineUsed(key, block)) return 'delivered'
  // Before the newest block is read: what is mined in between is in it.
  if (await hasUnknownPending(reader)) return 'unknown'
  return (await reader.node.isLineUsed(key, 'latest')) ? 'unknown' : 'unused'
}

/**
 * Whether a node has a pending transaction of a signer that this database lacks: one that was signed after its backup
 * may still deliver a line. The nonces of the chain are read first, so that what is signed meanwhile is not taken for
 * one.
 */
async function hasUnknownPending({ db, node }: Reader): Promise<boolean> {
  const pendingOf = new Map<string, number>()
  for (const { address, state } of await listSigners(db)) {
    if (state === 'retired') continue
    const [pending, mined] = [await node.nonceAt(address, 'pending'), await node.nonceAt(address, 'latest')]
    if (pending > mined) pendingOf.set(address, pending)
  }
  if (pendingOf.size === 0) return false
  return (await listSigners(db)).some(({ address, nextNonce }) => (pendingOf.get(address) ?? 0) > nextNonce)
}

type Reader = Pick<ChainContext, 'db' | 'node' | 'index'>

/**
 * Applies the transaction that delivered a line once its block is final. Returns the token, its recipient, and the key
 * of the custody account if it went into custody; undefined while there is no such transaction. `token` is null where
 * the database does not have the line, which is no gift then.
 */
export async function applyDelivered(
  { node, index, contracts }: Pick<ChainContext, 'node' | 'index' | 'contracts'>,
  { lineId, token: wanted }: { lineId: string; token: string | null },
) {
  const lineKey = keyOf(lineId)
  const logs = await node.deliveryLogs(lineKey, wanted === null ? undefined : BigInt(wanted.split('/')[1]!))
  const transfer = transfersOf(logs, contracts).find((each) => each.lineId === lineKey)
  if (!transfer) return undefined
  await index.apply(logs)
  const { id, to, account, txHash } = transfer
  return { token: tokenOf(contracts.collection, String(id)), to, account, txHash }
}
