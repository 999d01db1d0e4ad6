import { randomUUID } from 'node:crypto'
import { unavailable } from '@nifty/service-kit/errors'
import { type DeliveryLine, deliverCall, GAS_PER_ENTRY } from '../chain/calls.ts'
import { keyOf } from '../chain/keys.ts'
import { checkedAddress } from '../chain/node.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { worstCaseCost } from '../chain-transactions/chain-transaction.store.ts'
import { configuredSigners, withRoles } from '../chain-transactions/choose-signer.ts'
import { withMargin } from '../chain-transactions/fees.ts'
import { countWaiting, findOpenDelivery } from '../deliveries/delivery.store.ts'
import { gasReserve } from '../deliveries/delivery-gas.ts'
import { settledBlock } from '../deliveries/line-on-chain.ts'
import { findSource } from '../deliveries/token-source.ts'
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
  if (await findOpenDelivery(context.db, token)) return no('being_delivered')
  const since = permittedSince === undefined ? undefined : new Date(permittedSince)
  const wanted = { token, ownerId, until: new Date(Date.now() + PURCHASE_MS), permittedSince: since }
  const source = await findSource(context, wanted, 'latest')
  if (typeof source === 'string' && to !== undefined && !(await isRefusedAtFinal(context, wanted)))
    return no('not_final')
  if (source === 'permit_required') return no(source, (await createTypedData(context, token)).typedData)
  if (typeof source === 'string') return no(source)
  if (to !== undefined && !(await accepts(context, { token, to, from: source, signer }))) return no('recipient_refuses')
  return { token, deliverable: true, code: null }
}

/** The newest block may be replaced, and its node may be behind or wrong: a refusal of the item needs a final block. */
async function isRefusedAtFinal(context: ChainContext, wanted: Parameters<typeof findSource>[1]): Promise<boolean> {
  const block = await settledBlock(context)
  return block !== undefined && typeof (await findSource(context, wanted, block)) === 'string'
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

/**
 * Throws 503 while no signer may sign, or while their balances together are below the gas reserve for `lines` more
 * deliveries. Returns the address of one of them.
 */
export async function assertReady(context: ChainContext, lines: number): Promise<string> {
  const { db, node, log } = context
  const usable = await withRoles(context, await configuredSigners(context))
  const addresses = usable.map(({ signer }) => signer.address)
  const [first] = addresses
  if (!first) throw unavailableNow('signer_halted')
  const [balances, fees, openCost, waiting] = await Promise.all([
    Promise.all(addresses.map((address) => node.balance(address))),
    node.fees(),
    worstCaseCost(db, addresses),
    countWaiting(db),
  ])
  const balance = balances.reduce((sum, each) => sum + each, 0n)
  if (balance >= gasReserve(openCost, waiting + lines, fees.maxFeePerGas)) return first
  log.error(
    { alarm: 'gas_low', balance: String(balance) },
    'balance of the signers below the gas reserve, refusing new purchases',
  )
  throw unavailableNow('gas_low')
}

export const unavailableNow = (code: string) => unavailable(code, 'Payments are temporarily unavailable')
