import { findSuspended } from '@nifty/api/auth/internal'
import * as api from '@nifty/api/payments/ops-money'
import { toEuros } from '@nifty/api/shapes'
import { recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import { readCursor } from '../books/entry-cursor.ts'
import { unpaidShares } from '../books/paid-lines.ts'
import { owedAccounts, paidPayouts, payOut, returnPayout } from '../books/payout.actions.ts'
import type { Deps } from '../deps.ts'
import { orBusy } from '../locks/lock.errors.ts'

const ACCOUNTS_AT_ONCE = 1_000

export const opsPayoutRoutes: FastifyPluginAsync<Deps> = async (app, { db, auth, config }) => {
  const { payoutHoldMs: holdMs } = config

  async function suspendedAmong(userIds: string[]): Promise<Set<string>> {
    const suspended = new Set<string>()
    for (let from = 0; from < userIds.length; from += ACCOUNTS_AT_ONCE) {
      const page = await auth(findSuspended, { body: { userIds: userIds.slice(from, from + ACCOUNTS_AT_ONCE) } })
      for (const id of page.userIds) suspended.add(id)
    }
    return suspended
  }

  registerRoute(app, api.listPayouts, async () => {
    const owed = await owedAccounts(db, { holdMs })
    const suspended = await suspendedAmong(owed.map(({ userId }) => userId))
    return {
      due: owed.map(({ userId, username, entries, dueCents, waitingCents, heldBackCents, heldBecause, payee }) => ({
        userId,
        username,
        entries,
        due: toEuros(dueCents),
        waiting: toEuros(waitingCents),
        heldBack: toEuros(heldBackCents),
        heldBecause,
        suspended: suspended.has(userId),
        payee: payee && {
          firstName: payee.firstName,
          email: payee.email,
          deletedAt: payee.deletedAt.toISOString(),
        },
      })),
      paid: (await paidPayouts(db)).map(({ id, userId, amountCents, operator, reason, at, returnedAt }) => ({
        payoutId: id,
        userId,
        operator,
        reason,
        amount: toEuros(amountCents),
        at: at.toISOString(),
        returnedAt: returnedAt?.toISOString() ?? null,
      })),
    }
  })

  registerRoute(app, api.listUnpaidShares, async ({ params: { userId }, query }) => {
    const after = await readCursor(db, userId, query.after)
    const read = await unpaidShares(db, { holdMs, userId, after, limit: api.UNPAID_SHARES_PAGE + 1 })
    const page = read.slice(0, api.UNPAID_SHARES_PAGE)
    return {
      shares: page.map(({ id: _id, amountCents, balanceCents, dueAt, ...share }) => ({
        ...share,
        amount: toEuros(amountCents),
        balance: toEuros(balanceCents),
        dueAt: dueAt.toISOString(),
      })),
      next: read.length > page.length ? String(page.at(-1)!.id) : null,
    }
  })

  registerRoute(app, api.recordPayout, async (request) => {
    const { amount, ...payment } = actionOf(request)
    const { payoutId, userId, operator, reason } = payment
    const action = payment.lineIds ? 'past payout' : 'payout'
    const payout = await orBusy(
      db.transaction().execute(async (trx) => {
        await recordOperatorAction(trx, { action, subject: userId, operator, reason })
        return payOut(trx, { ...payment, amountCents: Math.round(amount * 100), holdMs })
      }),
    )
    return { payoutId, userId, amount: toEuros(payout.amountCents), at: payout.at.toISOString() }
  })

  registerRoute(app, api.returnPayout, async (request) => {
    const { payoutId, operator, reason } = actionOf(request)
    const { userId, amountCents } = await orBusy(
      db.transaction().execute(async (trx) => {
        const payout = await returnPayout(trx, { payoutId, operator, reason })
        await recordOperatorAction(trx, { action: 'payout returned', subject: payout.userId, operator, reason })
        return payout
      }),
    )
    return { payoutId, userId, amount: toEuros(amountCents) }
  })
}
