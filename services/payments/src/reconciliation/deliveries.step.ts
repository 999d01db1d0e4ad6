import { listFinalDeliveries, listUnexpectedTokens } from '@nifty/api/minting/internal'
import { anyOf } from '@nifty/service-kit/database/database'
import { saveDifferences } from './reconciliation.store.ts'
import type { Difference } from './reconciliation.ts'
import type { ReconciliationStep, StepContext } from './reconciliation-step.ts'

/**
 * Compares the deliveries that became final in the period with the lines, and stores what the chain has beyond them.
 */
export const deliveries: ReconciliationStep = async (context) => {
  const { run, trx, minting } = context
  const { lineIds, next } = await minting(listFinalDeliveries, {
    query: { since: run.since.toISOString(), ...(run.cursor === null ? {} : { after: run.cursor }) },
  })
  await saveDifferences(trx, await undeliveredLines(context, lineIds))
  if (next === null) await saveDifferences(trx, await unexpectedDeliveries(context))
  return { cursor: next, compared: lineIds.length }
}

/** Lines with a final delivery that are not delivered here. */
export async function undeliveredLines({ trx }: StepContext, lineIds: string[]): Promise<Difference[]> {
  if (lineIds.length === 0) return []
  const rows = await trx
    .selectFrom('line')
    .select(['id', 'orderId', 'state'])
    .where('id', '=', anyOf(lineIds))
    .execute()
  const lines = new Map(rows.map((line) => [line.id, line]))
  const open = ['placed', 'awaiting_payment', 'held', 'authorised', 'delivering', 'released']
  return lineIds
    .filter((id) => open.includes(lines.get(id)?.state ?? 'placed'))
    .map((id) => ({
      kind: 'line',
      subject: id,
      orderId: lines.get(id)?.orderId ?? null,
      intentId: null,
      detail: `delivered on the chain, but ${lines.get(id)?.state ?? 'unknown'} in payments`,
    }))
}

/** Deliveries of the chain that minting has no line for, or has stopped. */
export async function unexpectedDeliveries({ minting }: StepContext): Promise<Difference[]> {
  const { deliveries } = await minting(listUnexpectedTokens)
  return deliveries.map(({ token, recipient, account, txHash, at, state }) => ({
    kind: 'token',
    subject: `${token} ${txHash}`,
    orderId: null,
    intentId: null,
    detail: `went to ${account ? `custody, account ${account},` : recipient} at ${at} (${txHash}), ${state ? `although its line is ${state}` : 'without a sale or withdrawal in this store'}`,
  }))
}
