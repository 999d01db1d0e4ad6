import { accountDeleted } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runStep } from '../orders/run-step.ts'
import { assignReversal } from '../reversals/assignment.actions.ts'
import { syncReversals } from '../reversals/reversal.actions.ts'
import { startTestPayments } from '../testing/payments.ts'
import { callProcessor, givenCompleted, givenHeld } from '../testing/reconciliation.ts'
import { deliver } from '../testing/sale.ts'
import { eraseSettledPayees } from './payee.store.ts'
import { owedAccounts } from './payout.actions.ts'

const person = { firstName: 'Cleo', username: '@cleo', email: 'cleo@example.com', at: new Date().toISOString() }

test.each([
  ['won', 1],
  ['lost', 0],
] as const)('a deleted seller is kept while a dispute is open; once it is %s, %i are', async (outcome, kept) => {
  const payments = await startTestPayments({ manual: true })
  const { db, deps, sandbox, consume } = payments
  const { orderId, intentId, line } = await givenCompleted(payments)
  const sync = () => db.transaction().execute((trx) => syncReversals(trx, deps, orderId))
  const payees = async () => (await db.selectFrom('payee').select('userId').execute()).length
  await sandbox.dispute(intentId)
  await sync()
  const { id: reversalId } = await db.selectFrom('reversal').select('id').executeTakeFirstOrThrow()
  await db.transaction().execute((trx) => assignReversal(trx, { reversalId, borneBy: 'seller' }))

  await consume(messageOf(accountDeleted, { ...person, userId: line.sellerId! }))
  expect(await payees()).toBe(1)

  await sandbox.closeDispute(reversalId, outcome)
  await sync()
  expect(await payees()).toBe(kept)
})

test('a seller who is deleted while a sale is under way stays payable', async () => {
  const payments = await startTestPayments({ manual: true })
  const { line, orderId } = await givenHeld(payments)
  const { sellerId: userId } = line
  await payments.consume(messageOf(accountDeleted, { ...person, userId: userId! }))
  expect(await payments.db.selectFrom('payee').select('userId').execute()).toEqual([{ userId }])

  await deliver(payments, line)
  while ((await runStep(payments.deps, orderId)).nextRunInMs === 0);
  expect(await owedAccounts(payments.db, { holdMs: 0 })).toMatchObject([
    { userId, dueCents: 10_800, payee: { email: person.email } },
  ])
})

async function givenRefundBorneByDeletedSeller() {
  const payments = await startTestPayments({ manual: true })
  const { db, deps, consume } = payments
  const { orderId, intentId, line } = await givenCompleted(payments)
  const sync = () => db.transaction().execute((trx) => syncReversals(trx, deps, orderId))
  await callProcessor(payments, '/v1/refunds', { payment_intent: intentId })
  await sync()
  const { id: refundId } = await db.selectFrom('reversal').select('id').executeTakeFirstOrThrow()
  await db.transaction().execute((trx) => assignReversal(trx, { reversalId: refundId, borneBy: 'seller' }))
  await consume(messageOf(accountDeleted, { ...person, userId: line.sellerId! }))
  return { payments, refundId, sync, userId: line.sellerId! }
}

test('a deleted seller is owed a refund that fails at the bank, and can be paid', async () => {
  const { payments, refundId, sync, userId } = await givenRefundBorneByDeletedSeller()
  await payments.sandbox.failRefund(refundId)
  await sync()
  expect(await owedAccounts(payments.db, { holdMs: 0 })).toMatchObject([
    { userId, dueCents: 10_800, payee: { email: person.email } },
  ])
})

test('a deleted seller who bears a refund is erased once it cannot fail any more', async () => {
  const { payments, userId } = await givenRefundBorneByDeletedSeller()
  const { db } = payments
  const payees = () => db.selectFrom('payee').select('userId').execute()
  await eraseSettledPayees(db)
  expect(await payees()).toEqual([{ userId }])

  await sql`update reversal set created_at = created_at - interval '31 days'`.execute(db)
  await eraseSettledPayees(db)
  expect(await payees()).toEqual([])
})
