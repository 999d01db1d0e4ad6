import { accountDeleted } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { assignReversal } from '../reversals/assignment.actions.ts'
import { syncReversals } from '../reversals/reversal.actions.ts'
import { startTestPayments } from '../testing/payments.ts'
import { givenCompleted } from '../testing/reconciliation.ts'

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

  const person = { firstName: 'Cleo', username: '@cleo', email: 'cleo@example.com', at: new Date().toISOString() }
  await consume(messageOf(accountDeleted, { ...person, userId: line.sellerId! }))
  expect(await payees()).toBe(1)

  await sandbox.closeDispute(reversalId, outcome)
  await sync()
  expect(await payees()).toBe(kept)
})
