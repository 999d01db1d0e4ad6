import { checkedAddress } from '@nifty/contracts/address'
import { batchGas, type DeliveryLine, deliverCall } from '@nifty/contracts/calls'
import { keyOf } from '@nifty/contracts/keys'
import type { At } from '../chain/block.ts'
import type { Sender } from '../chain/node.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import type { FailureReason, KnownDelivery } from './delivery.ts'
import { findSource, readSource, type Source, type StoredSource, storedSource } from './token-source.ts'

export type Refusal = { reason: FailureReason; note: string }

export type Simulation = { line: DeliveryLine } | { refusal: Refusal }

/**
 * Simulates a delivery as of a block. Throws when the outcome is unknown. `stored`: what was just read about the token.
 */
export async function simulateDelivery(
  { db, node, contracts }: ChainContext,
  { kind, token, fromId, wallet, custodyAccount, lineId }: KnownDelivery,
  { sender, at, stored }: { sender: Sender; at: At; stored?: StoredSource },
): Promise<Simulation> {
  const known = stored ?? (await readSource(db, { token, ownerId: fromId }))
  const wanted = { stored: known, ownerId: fromId, until: new Date() }
  const lineFrom = (from: Source): DeliveryLine => ({
    lineId: keyOf(lineId),
    token: contracts.collection,
    id: BigInt(token.split('/')[1]!),
    to: custodyAccount ? { account: keyOf(custodyAccount) } : checkedAddress(wallet!)!,
    from,
    isGift: kind === 'gift',
  })
  const expected = at === 'latest' ? storedSource(wanted) : undefined
  if (expected) {
    const line = lineFrom(expected)
    if (await node.succeeds(deliverCall(contracts.delivery, line), sender, batchGas(1))) return { line }
  }

  const source = await findSource({ node, contracts }, wanted, at)
  if (typeof source === 'string') return { refusal: { reason: source, note: source } }
  const line = lineFrom(source)
  const revert = await node.refusalOf(deliverCall(contracts.delivery, line), sender, at)
  return revert ? { refusal: { reason: 'recipient_refuses', note: revert.text } } : { line }
}
