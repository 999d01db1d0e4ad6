import { ensureCustodyAccount } from '../accounts/account.store.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { failDelivery } from './delivery.actions.ts'
import {
  lockDelivery,
  postponeDelivery,
  type UnsignedDelivery,
  unsignedDeliveries,
  updateDelivery,
} from './delivery.store.ts'
import type { KnownDelivery } from './delivery.ts'
import { applyDelivered, type LineOnChain, readLine, settledBlock } from './line-on-chain.ts'

const LINES_PER_RUN = 20
const RETRY_IN_MS = 1_000

/**
 * Handles unsigned deliveries that depend on whether the chain has delivered them. One that it has delivered becomes
 * final; while that is unknown, it waits. Else it fails past its deadline, which no transaction can move any more, or
 * gets the custody account of a buyer who had none. Signs nothing, so a halted signer does not matter.
 */
export async function handleUnsigned(context: ChainContext): Promise<boolean> {
  const { db, log } = context
  const unsigned = await unsignedDeliveries(db, LINES_PER_RUN)
  if (unsigned.length === 0) return false
  const block = await settledBlock(context)
  const handle = async (delivery: UnsignedDelivery) =>
    decide(context, delivery, block === undefined ? 'unknown' : await readLine(context, delivery.lineId, block))
  await Promise.all(
    unsigned.map((delivery) =>
      handle(delivery).catch(async (error) => {
        log.warn({ err: error, lineId: delivery.lineId }, 'deliveries: unsigned line not decided, retrying in 1 s')
        await postponeDelivery(db, delivery.lineId, RETRY_IN_MS)
      }),
    ),
  )
  return unsigned.length === LINES_PER_RUN
}

async function decide(context: ChainContext, { lineId, token, isOverdue }: UnsignedDelivery, found: LineOnChain) {
  const { db } = context
  if (found === 'delivered') await applyDelivered(context, { lineId, token })
  if (found !== 'unused') return postponeDelivery(db, lineId, Math.min(RETRY_IN_MS, context.settings.pollMs))
  await db.transaction().execute(async (trx) => {
    const delivery = (await lockDelivery(trx, lineId)) as KnownDelivery
    if (delivery.state !== 'waiting') return
    if (isOverdue) await failDelivery(trx, delivery, { reason: 'deadline' })
    else if (!delivery.wallet)
      await updateDelivery(trx, lineId, { custodyAccount: await ensureCustodyAccount(trx, delivery.buyerId) })
  })
}
