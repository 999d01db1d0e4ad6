import { inSpan } from '@nifty/service-kit/traces/trace'
import { type DeliveryLine, deliverCall, deliverManyCall } from '../chain/calls.ts'
import { keyOf } from '../chain/keys.ts'
import { checkedAddress } from '../chain/node.ts'
import type { Lane } from '../chain-transactions/chain-context.ts'
import { withinCap, withMargin } from '../chain-transactions/fees.ts'
import { isLaneFree, signNext } from '../chain-transactions/queue.ts'
import { doubt } from './confirm-refusal.ts'
import { failDelivery, ofSale, startDelivery } from './delivery.actions.ts'
import { dueDeliveries, lockLate, lockSignable } from './delivery.store.ts'
import type { KnownDelivery } from './delivery.ts'
import { sourceOf } from './token-source.ts'

const LINES_PER_TRANSACTION = 20

type Chosen = { delivery: KnownDelivery; line: DeliveryLine }

/** Signs what may be delivered now. Answers true when more may be waiting. */
export async function signDeliveries(lane: Lane): Promise<boolean> {
  const { db, node } = lane
  await giveUpLate(lane)
  const due = await dueDeliveries(db, LINES_PER_TRANSACTION)
  if (due.length === 0 || !(await isLaneFree(lane))) return false
  await node.confirm()

  const ready: Chosen[] = []
  for (const delivery of due) {
    const line = await ofSale('check delivery', delivery, () => check(lane, delivery))
    if (line) ready.push({ delivery, line })
  }
  const single = ready.find(({ delivery }) => delivery.alone)
  const chosen = single ? [single] : ready
  if (chosen.length === 0) return false

  const [first, ...others] = chosen.map(({ delivery }) => delivery.traceparent)
  return inSpan({ name: 'sign deliveries', continues: first, links: others, facts: { lines: chosen.length } }, () =>
    sign(lane, chosen, ready.length > chosen.length || due.length === LINES_PER_TRANSACTION),
  )
}

/** One transaction for what was chosen. Answers `more`, or false when the chain would not take it. */
async function sign(lane: Lane, chosen: Chosen[], more: boolean): Promise<boolean> {
  const { db, node, signer } = lane
  const lines = chosen.map(({ line }) => line)
  const { delivery: contract } = lane.contracts
  const call = lines.length === 1 ? deliverCall(contract, lines[0]!) : deliverManyCall(contract, lines)
  const estimate = await node.estimate(call)
  if ('refusal' in estimate) return false
  const fees = withinCap(await node.fees(), lane.settings.maxFee)

  return db.transaction().execute(async (trx) => {
    const wanted = { kind: 'delivery', call, gasLimit: withMargin(estimate.gas), fees } as const
    const signed = await signNext(trx, signer, wanted)
    const deliveries = await lockSignable(
      trx,
      chosen.map(({ delivery }) => delivery.lineId),
    )
    // Throwing gives the nonce back; the worker chooses anew.
    if (deliveries.length < chosen.length) throw new Error('A delivery was stopped or came too late meanwhile')
    for (const delivery of deliveries) await startDelivery(trx, delivery, signed)
    return more
  })
}

/** Would the chain take this line now? Answers the line, or nothing after noting why it must wait or is over. */
async function check(lane: Lane, delivery: KnownDelivery): Promise<DeliveryLine | undefined> {
  const { db, node, contracts } = lane
  const { token, fromId, wallet, lineId } = delivery
  const source = await sourceOf({ db, node, contracts }, { token, ownerId: fromId, until: new Date() })
  if (typeof source === 'string') return doubt(lane, delivery, { reason: source, note: null })

  const to = checkedAddress(wallet)!
  const id = BigInt(token.split('/')[1]!)
  const line = { lineId: keyOf(lineId), token: contracts.collection, id, to, from: source }
  const refusal = await node.refusalOf(deliverCall(contracts.delivery, line))
  if (refusal) return doubt(lane, delivery, { reason: 'recipient_refuses', note: refusal.text })
  return line
}

/** Never signed and too late: nothing on the chain can move it any more, so it is over at once. */
async function giveUpLate({ db }: Lane) {
  await db.transaction().execute(async (trx) => {
    for (const delivery of await lockLate(trx)) await failDelivery(trx, delivery, { reason: 'deadline' })
  })
}
