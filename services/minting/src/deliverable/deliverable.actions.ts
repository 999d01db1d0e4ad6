import { randomUUID } from 'node:crypto'
import { type DeliveryLine, deliverCall, GAS_PER_ENTRY } from '../chain/calls.ts'
import { keyOf } from '../chain/keys.ts'
import { checkedAddress } from '../chain/node.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { withMargin } from '../chain-transactions/fees.ts'
import { settledBlock } from '../deliveries/line-on-chain.ts'
import { findSource, readSource } from '../deliveries/token-source.ts'
import { createTypedData } from '../permits/permit.actions.ts'

/** The minimum lifetime of a permit: 35 minutes for the payment, a day for the delivery, and a margin. */
const PURCHASE_MS = 26 * 60 * 60 * 1000

/** `permittedSince`: ISO 8601; only a permit that was submitted later counts. */
type Wanted = { token: string; ownerId: string; permittedSince?: string }
export type Verdict = { token: string; deliverable: boolean; code: string | null; permit?: unknown }

/** Simulates a delivery of the token by a signer at the newest block, to the wallet `to` if given, into custody if null. */
export async function checkDeliverable(
  context: ChainContext,
  { token, ownerId, permittedSince, to, signer }: Wanted & { to?: string | null; signer: string },
): Promise<Verdict> {
  const no = (code: string, permit?: unknown): Verdict => ({
    token,
    deliverable: false,
    code,
    ...(permit ? { permit } : {}),
  })
  const stored = await readSource(context.db, { token, ownerId })
  if (stored.isBeingDelivered) return no('being_delivered')
  const since = permittedSince === undefined ? undefined : new Date(permittedSince)
  const wanted = { token, stored, ownerId, until: new Date(Date.now() + PURCHASE_MS), permittedSince: since }
  const source = await findSource(context, wanted, 'latest')
  if (typeof source === 'string' && to !== undefined && !(await isRefusedAtFinal(context, wanted)))
    return no('not_final')
  if (source === 'permit_required') return no(source, (await createTypedData(context, token)).typedData)
  if (typeof source === 'string') return no(source)
  if (to !== undefined && !(await accepts(context, { token, to, from: source, signer }))) return no('recipient_refuses')
  return { token, deliverable: true, code: null }
}

/** The newest block may be replaced, and its node may be behind or wrong: a refusal of the item needs a final block. */
async function isRefusedAtFinal(
  context: ChainContext,
  wanted: Parameters<typeof findSource>[1] & { token: string },
): Promise<boolean> {
  const block = await settledBlock(context)
  if (block === undefined) return false
  // Read again: the index may have passed further blocks meanwhile.
  const stored = await readSource(context.db, wanted)
  return typeof (await findSource(context, { ...wanted, stored }, block)) === 'string'
}

/** A contract wallet may reject the token, or use more gas than the limit of a delivery. */
async function accepts(
  { node, contracts }: ChainContext,
  { token, to, from, signer }: { token: string; to: string | null; from: DeliveryLine['from']; signer: string },
): Promise<boolean> {
  // Any account: custody accepts tokens for each.
  const recipient = to === null ? { account: keyOf(randomUUID()) } : checkedAddress(to)
  if (!recipient) return false
  const id = BigInt(token.split('/')[1]!)
  const line = { lineId: keyOf(randomUUID()), token: contracts.collection, id, to: recipient, from }
  const estimate = await node.estimate(deliverCall(contracts.delivery, line), signer)
  return 'gas' in estimate && withMargin(estimate.gas) <= GAS_PER_ENTRY
}
