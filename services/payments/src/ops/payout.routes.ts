import * as api from '@nifty/api/payments/ops-money'
import { toEuros } from '@nifty/api/shapes'
import { recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import { unpaidShares } from '../books/paid-lines.ts'
import { owedAccounts, paidPayouts, payOut } from '../books/payout.actions.ts'
import type { Deps } from '../deps.ts'
import { orBusy } from '../orders/order.errors.ts'

export const opsPayoutRoutes: FastifyPluginAsync<Deps> = async (app, { db, config }) => {
  const { payoutHoldMs: holdMs } = config

  registerRoute(app, api.listPayouts, async () => ({
    due: (await owedAccounts(db, { holdMs })).map(
      ({ userId, username, entries, dueCents, waitingCents, heldBackCents, heldBecause, payee }) => ({
        userId,
        username,
        entries,
        due: toEuros(dueCents),
        waiting: toEuros(waitingCents),
        heldBack: toEuros(heldBackCents),
        heldBecause,
        payee: payee && {
          firstName: payee.firstName,
          email: payee.email,
          deletedAt: payee.deletedAt.toISOString(),
        },
      }),
    ),
    paid: (await paidPayouts(db)).map(({ id, userId, amountCents, operator, reason, at }) => ({
      payoutId: id,
      userId,
      operator,
      reason,
      amount: toEuros(amountCents),
      at: at.toISOString(),
    })),
  }))

  registerRoute(app, api.listUnpaidShares, async ({ params }) => ({
    shares: (await unpaidShares(db, { holdMs, userId: params.userId })).map(
      ({ amountCents, balanceCents, dueAt, ...share }) => ({
        ...share,
        amount: toEuros(amountCents),
        balance: toEuros(balanceCents),
        dueAt: dueAt.toISOString(),
      }),
    ),
  }))

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
}
