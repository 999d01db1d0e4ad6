import type { Worker } from '@nifty/service-kit/worker'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { failDelivery } from './delivery.actions.ts'
import { lockDelivery, overdueDeliveries, postponeDelivery } from './delivery.store.ts'
import type { KnownDelivery } from './delivery.ts'
import { applyDelivered, readLine } from './line-on-chain.ts'

const LINES_PER_RUN = 20
const RETRY_IN_MS = 1_000

/**
 * Fails unsigned deliveries past their deadline, which no transaction can move any more. A line that the chain has
 * delivered becomes final instead; while that is unknown, the line waits.
 */
async function failOverdue(context: ChainContext): Promise<boolean> {
  const { db, log } = context
  const overdue = await overdueDeliveries(db, LINES_PER_RUN)
  for (const delivery of overdue)
    await decide(context, delivery).catch(async (error) => {
      log.warn({ err: error, lineId: delivery.lineId }, 'deliveries: overdue line not decided, retrying in 1 s')
      await postponeDelivery(db, delivery.lineId, RETRY_IN_MS)
    })
  return overdue.length === LINES_PER_RUN
}

async function decide(context: ChainContext, { lineId }: KnownDelivery) {
  const { db } = context
  const found = await readLine(context, lineId)
  if (found === 'delivered') await applyDelivered(context, lineId)
  if (found !== 'unused') return postponeDelivery(db, lineId, Math.min(RETRY_IN_MS, context.settings.pollMs))
  await db.transaction().execute(async (trx) => {
    const delivery = (await lockDelivery(trx, lineId)) as KnownDelivery
    if (delivery.state === 'waiting') await failDelivery(trx, delivery, { reason: 'deadline' })
  })
}

export const overdueWorker = (context: ChainContext): Worker => ({
  name: 'overdue deliveries',
  everyMs: context.settings.pollMs,
  run: () => failOverdue(context),
})
