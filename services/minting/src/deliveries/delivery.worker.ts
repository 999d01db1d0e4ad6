import { type DeliveryLine, deliverCall, deliverManyCall } from '@nifty/contracts/calls'
import { inSpan } from '@nifty/service-kit/base/trace'
import type { At } from '../chain/block.ts'
import type { Sender } from '../chain/node.ts'
import type { Fees } from '../chain/signer.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { chooseSigner, type UsableSigner } from '../chain-transactions/choose-signer.ts'
import { firstFees, withMargin } from '../chain-transactions/fees.ts'
import { signNext } from '../chain-transactions/queue.ts'
import { MAX_BATCH } from '../chain-transactions/signer.ts'
import { confirmRefusal } from './confirm-refusal.ts'
import { inSaleSpan, startDelivery } from './delivery.actions.ts'
import { dueDeliveries, lockSignable, postponeDelivery } from './delivery.store.ts'
import type { KnownDelivery } from './delivery.ts'
import { simulateDelivery } from './simulate-delivery.ts'
import { readSources, type StoredSource } from './token-source.ts'

const RETRY_IN_MS = 5_000

type Chosen = { delivery: KnownDelivery; line: DeliveryLine }

/** Signs the deliveries that are due, in one transaction. Returns true when more may be waiting. */
export async function signDeliveries(context: ChainContext): Promise<boolean> {
  const due = await dueDeliveries(context.db, MAX_BATCH.delivery)
  if (due.length === 0) return false
  const fees = firstFees(await context.node.fees(), context.settings.maxFee)
  if (!fees) return false
  const wanted = { kind: 'delivery', entries: due.length, maxFeePerGas: fees.maxFeePerGas } as const
  const usable = await chooseSigner(context, wanted)
  if (!usable) return false

  const sender = { ...fees, address: usable.signer.address }
  const movable = due.slice(0, usable.entries)
  const sources = await readSources(
    context.db,
    movable.map(({ token, fromId }) => ({ token, ownerId: fromId })),
  )
  const checked = await Promise.all(
    movable.map((delivery, place) => tryCheck(context, delivery, { sender, stored: sources[place]! })),
  )
  const ready = checked.filter((chosen) => chosen !== undefined)
  const single = ready.find(({ delivery }) => delivery.alone)
  const chosen = single ? [single] : ready
  if (chosen.length === 0) return false

  const [first, ...others] = chosen.map(({ delivery }) => delivery.traceparent)
  return inSpan(
    { name: 'sign deliveries', remoteParent: first, links: others, attributes: { lines: chosen.length } },
    () =>
      sign(context, chosen, { usable, fees, more: ready.length > chosen.length || due.length === MAX_BATCH.delivery }),
  )
}

/** Returns `more`, or false when the estimate reverts: the next run checks each line again. */
async function sign(
  context: ChainContext,
  chosen: Chosen[],
  { usable, fees, more }: { usable: UsableSigner; fees: Fees; more: boolean },
): Promise<boolean> {
  const { db, node } = context
  const lines = chosen.map(({ line }) => line)
  const { delivery: contract } = context.contracts
  const call = lines.length === 1 ? deliverCall(contract, lines[0]!) : deliverManyCall(contract, lines)
  const estimate = await node.estimate(call, { ...fees, address: usable.signer.address }, lines.length)
  if ('refusal' in estimate) return false

  return db.transaction().execute(async (trx) => {
    const wanted = { kind: 'delivery', call, gasLimit: withMargin(estimate.gas, lines.length), fees } as const
    const signed = await signNext(trx, usable, wanted)
    const deliveries = await lockSignable(
      trx,
      chosen.map(({ delivery }) => delivery.lineId),
    )
    // The rollback frees the nonce; the next run selects again.
    if (deliveries.length < chosen.length)
      throw new Error('A delivery was stopped or became overdue before it was signed, selecting again')
    for (const delivery of deliveries) await startDelivery(trx, delivery, signed)
    return more
  })
}

/** Simulates the delivery at the newest block. A check with an unknown outcome delays its own line only. */
async function tryCheck(
  context: ChainContext,
  delivery: KnownDelivery,
  { sender, stored }: { sender: Sender; stored: StoredSource },
): Promise<Chosen | undefined> {
  const { db, log } = context
  const simulate = (at: At) => simulateDelivery(context, delivery, { sender, at })
  try {
    const outcome = await inSaleSpan('check delivery', delivery, () =>
      simulateDelivery(context, delivery, { sender, at: 'latest', stored }),
    )
    if ('line' in outcome) return { delivery, line: outcome.line }
    await confirmRefusal(context, delivery, { refused: outcome.refusal, simulate })
  } catch (error) {
    log.warn({ err: error, lineId: delivery.lineId }, 'deliveries: check of a line failed, retrying later')
    await postponeDelivery(db, delivery.lineId, Math.min(RETRY_IN_MS, context.settings.pollMs))
  }
}
