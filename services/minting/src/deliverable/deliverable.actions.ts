import { randomUUID } from 'node:crypto'
import { unavailable } from '@nifty/service-kit/errors'
import { type DeliveryLine, deliverCall } from '../chain/calls.ts'
import { keyOf } from '../chain/keys.ts'
import { checkedAddress } from '../chain/node.ts'
import { DELIVERY_GAS, gasReserve, type Lane } from '../chain-transactions/chain-context.ts'
import { findLane, worstCaseCost } from '../chain-transactions/chain-transaction.store.ts'
import { countWaiting, findOpenDelivery } from '../deliveries/delivery.store.ts'
import { sourceOf } from '../deliveries/token-source.ts'
import { typedDataFor } from '../permits/permit.actions.ts'

/** A permit must outlive a purchase: half an hour for the payment, a day for the delivery, and some room. */
const PURCHASE_MS = 26 * 60 * 60 * 1000

export type Verdict = { token: string; deliverable: boolean; code: string | null; permit?: unknown }

/** Would the chain deliver this token for its owner now, and to this wallet where one is named? */
export async function verdictOf(
  lane: Lane,
  { token, ownerId, to }: { token: string; ownerId: string; to?: string },
): Promise<Verdict> {
  const no = (code: string, permit?: unknown): Verdict => ({
    token,
    deliverable: false,
    code,
    ...(permit ? { permit } : {}),
  })
  if (await findOpenDelivery(lane.db, token)) return no('being_delivered')
  const source = await sourceOf(lane, { token, ownerId, until: new Date(Date.now() + PURCHASE_MS) })
  if (source === 'permit_required') return no(source, (await typedDataFor(lane, token)).typedData)
  if (typeof source === 'string') return no(source)
  if (to !== undefined && !(await takes(lane, { token, to, from: source }))) return no('recipient_refuses')
  return { token, deliverable: true, code: null }
}

/** A wallet that is a contract may refuse tokens, or burn more gas than a delivery may cost. */
async function takes(
  { node, contracts }: Lane,
  { token, to, from }: { token: string; to: string; from: DeliveryLine['from'] },
): Promise<boolean> {
  const recipient = checkedAddress(to)
  if (!recipient) return false
  const id = BigInt(token.split('/')[1]!)
  const line = { lineId: keyOf(randomUUID()), token: contracts.collection, id, to: recipient, from }
  const estimate = await node.estimate(deliverCall(contracts.delivery, line))
  return 'gas' in estimate && estimate.gas <= DELIVERY_GAS
}

/** No purchase starts that could not be delivered: the lane must run, and its purse hold twice what is promised. */
export async function assertReady({ db, node, signer, log }: Lane, lines: number) {
  const known = await findLane(db, signer.address)
  if (!known || known.haltedReason !== null) throw notNow('lane_halted')
  const [balance, fees, openCost, waiting] = await Promise.all([
    node.balance(),
    node.fees(),
    worstCaseCost(db, signer.address),
    countWaiting(db),
  ])
  if (balance >= gasReserve(openCost, waiting + lines, fees.maxFeePerGas)) return
  log.error({ alarm: 'gas_low', balance: String(balance) }, 'the signing account runs out of gas money')
  throw notNow('gas_low')
}

export const notNow = (code: string) => unavailable(code, 'Payments are temporarily unavailable')
