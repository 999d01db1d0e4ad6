import { randomUUID } from 'node:crypto'
import { checkedAddress } from '@nifty/contracts/address'
import { type DeliveryLine, deliverCall, GAS_PER_ENTRY } from '@nifty/contracts/calls'
import { keyOf } from '@nifty/contracts/keys'
import type { Sender } from '../chain/node.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { withMargin, withoutMargin } from '../chain-transactions/fees.ts'
import { settledBlock } from '../deliveries/line-on-chain.ts'
import { findSource, isPermitTooShort, readSource, storedSource } from '../deliveries/token-source.ts'
import { createTypedData } from '../permits/permit.actions.ts'
import { readObstacles } from './deliverable.store.ts'

/** The minimum lifetime of a permit: 35 minutes for the payment, a day for the delivery, and a margin. */
const PURCHASE_MS = 26 * 60 * 60 * 1000

/** Deliveries to a wallet that the chain may revert in a day. */
const MAX_REVERTS = 2

/** ISO 8601. Only a permit counts that was submitted after `permittedSince` and is valid until `until`. */
type Wanted = { token: string; ownerId: string; permittedSince?: string; until?: string }
export type Verdict = { token: string; deliverable: boolean; code: string | null; permit?: unknown }

/**
 * Simulates a delivery of the token by a signer at the newest block, to the wallet `to` if given, into custody if
 * null.
 */
export async function checkDeliverable(
  context: ChainContext,
  { token, ownerId, permittedSince, until, to, sender }: Wanted & { to?: string | null; sender: Sender },
): Promise<Verdict> {
  const no = (code: string, permit?: unknown): Verdict => ({
    token,
    deliverable: false,
    code,
    ...(permit ? { permit } : {}),
  })
  const stored = await readSource(context.db, { token, ownerId })
  if (stored.isBeingDelivered) return no('being_delivered')
  const known = await readObstacles(context.db, { token, userId: ownerId, wallet: to?.toLowerCase() ?? null })
  if (known.isGiftOpen) return no('gift_waits')
  if (known.isContested) return no('work_contested')
  // A contract wallet that accepts simulations and reverts in blocks keeps works off the market, at the cost of our
  // gas.
  if (to && known.reverts >= MAX_REVERTS && (await context.node.hasCode(to))) return no('recipient_refuses')
  const since = permittedSince === undefined ? undefined : new Date(permittedSince)
  const validUntil = new Date(Math.max(Date.now() + PURCHASE_MS, until === undefined ? 0 : Date.parse(until)))
  const wanted = { token, stored, ownerId, until: validUntil, permittedSince: since }
  const expected = to === undefined ? undefined : storedSource(wanted)
  if (expected && (await isAccepted(context, { token, to: to!, from: expected, sender })))
    return { token, deliverable: true, code: null }

  // Not as stored, or refused: the reason is read from the chain.
  const source = await findSource(context, wanted, 'latest')
  const isTooShort = source === 'permit_required' && isPermitTooShort(wanted)
  if (typeof source === 'string' && !isTooShort && to !== undefined && !(await isRefusedAtFinal(context, wanted)))
    return no('not_final')
  if (source === 'permit_required') return no(source, (await createTypedData(context, token)).typedData)
  if (typeof source === 'string') return no(source)
  if (to !== undefined && !(await accepts(context, { token, to, from: source, sender }))) return no('recipient_refuses')
  return { token, deliverable: true, code: null }
}

/**
 * The newest block may be replaced, and its node may be behind or wrong: a refusal of the item needs a final block,
 * except that of a permit which ends too early.
 */
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

type Simulated = { token: string; to: string | null; from: DeliveryLine['from']; sender: Sender }

/** The call of a delivery; undefined to an invalid address. */
function callOf({ contracts }: Pick<ChainContext, 'contracts'>, { token, to, from }: Omit<Simulated, 'sender'>) {
  // Any account: custody accepts tokens for each.
  const recipient = to === null ? { account: keyOf(randomUUID()) } : checkedAddress(to)
  if (!recipient) return undefined
  const id = BigInt(token.split('/')[1]!)
  const line = { lineId: keyOf(randomUUID()), token: contracts.collection, id, to: recipient, from }
  return deliverCall(contracts.delivery, line)
}

/**
 * One call for what `findSource` and `accepts` find out by three: the contract checks the source, and the recipient
 * the rest.
 */
async function isAccepted(context: ChainContext, { sender, ...simulated }: Simulated): Promise<boolean> {
  const call = callOf(context, simulated)
  return call !== undefined && context.node.succeeds(call, sender, withoutMargin(GAS_PER_ENTRY))
}

/** A contract wallet may reject the token, or use more gas than the limit of a delivery. */
async function accepts(context: ChainContext, { sender, ...simulated }: Simulated): Promise<boolean> {
  const call = callOf(context, simulated)
  if (!call) return false
  const estimate = await context.node.estimate(call, sender)
  return 'gas' in estimate && withMargin(estimate.gas) <= GAS_PER_ENTRY
}
