import type { Transaction } from 'kysely'
import { raiseAlarm } from '../alarms/alarm.store.ts'
import type { Database, Order } from '../db.ts'
import { linesOf } from '../orders/line.store.ts'
import { lockOrder } from '../orders/order.store.ts'
import type { StepDeps } from '../orders/run-step.ts'
import { cancelUnsigned } from './reversal.actions.ts'
import { saveReversal } from './reversal.store.ts'

type Warning = { id: string; reason: string | null; at: Date }

/**
 * Records a bank's early warning of fraud, which moves no money, and raises an alarm. Cancels deliveries that minting
 * has not signed. Locks the order.
 */
export async function recordFraudWarning(
  trx: Transaction<Database>,
  { log }: Pick<StepDeps, 'log'>,
  { order: { id: orderId }, warning }: { order: Order; warning: Warning },
) {
  const order = (await lockOrder(trx, orderId))!
  await saveReversal(trx, {
    id: warning.id,
    kind: 'fraud_warning',
    orderId,
    refundId: null,
    status: 'open',
    reason: warning.reason,
    amountCents: null,
    withdrawnCents: 0,
    createdAt: warning.at,
  })
  const states = (await linesOf(trx, orderId)).map(({ state }) => state)
  const detail = `fraud_warning (${warning.reason ?? 'no reason given'}) while the order's lines were ${states.join(', ')}`
  await raiseAlarm(trx, log, { name: 'disputed', subject: warning.id, orderId, detail })
  await cancelUnsigned(trx, order)
}
