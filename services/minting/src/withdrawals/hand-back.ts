import { conflict, notFound } from '@nifty/service-kit/base/errors'
import { sha256 } from '@nifty/service-kit/base/secrets'
import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { Kysely } from 'kysely'
import { custodyAccountOf, findDeletedAccount } from '../accounts/account.store.ts'
import type { Database } from '../db.ts'
import { isContested } from '../tokens/contested-line.store.ts'
import { lockTokensInCustody } from '../tokens/token.store.ts'
import { findRunningHold, requestWithdrawal, type WithdrawalRules } from './withdrawal.actions.ts'
import { listWithdrawalsSince } from './withdrawal.store.ts'
import type { Withdrawal } from './withdrawal.ts'

/** Whose works a code hands back, and from when on. Throws as `handBackWorks`, but not before that time. */
export async function findHandBack(db: Kysely<Database>, code: string) {
  const account = await findDeletedAccount(db, { handBackHash: sha256(code) })
  if (!account) throw notFound('hand_back_not_found', 'No account was deleted with this code')
  if (account.isOver) throw conflict('hand_back_over', 'The works could be handed back for 30 days after the deletion')
  return account
}

/**
 * Queues a withdrawal of every work that a deleted account left in custody, to `wallet`; those stay whose payment a
 * bank contests, and those that were bought within `custodyHoldHours`. Whoever has the code has read the mail about the
 * deletion. Idempotent: returns the withdrawals since the deletion. Throws 404 for an unknown code, and 409 in the
 * first 24 hours after the deletion and from 30 days on.
 */
export async function handBackWorks(
  db: Kysely<Database>,
  { code, wallet, operator, reason }: { code: string; wallet: string } & OperatorReason,
  rules: WithdrawalRules,
): Promise<Withdrawal[]> {
  return inTransaction(db, async (trx) => {
    const { userId, deletedAt, from, isEarly } = await findHandBack(trx, code)
    if (isEarly)
      throw conflict('hand_back_waits', `The works are handed back from ${from.toISOString()} on`, {
        details: { until: from.toISOString() },
      })
    await recordOperatorAction(trx, { action: 'hand-back', subject: userId, operator, reason })
    const custodyAccount = await custodyAccountOf(trx, userId)
    const held = custodyAccount ? await lockTokensInCustody(trx, custodyAccount) : []
    const withdrawer = { wallet, emailConfirmed: true, suspended: false, waitsUntil: null }
    for (const { token } of held) {
      const isHeld = (await findRunningHold(trx, token, rules)) !== undefined
      if (!isHeld && !(await isContested(trx, { token, userId })))
        await requestWithdrawal(trx, { token, userId, withdrawer }, rules)
    }
    return listWithdrawalsSince(trx, userId, deletedAt)
  })
}
