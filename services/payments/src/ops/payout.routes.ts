import * as api from '@nifty/api/payments/ops'
import { toEuros } from '@nifty/api/shapes'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { recordOperatorAction } from '@nifty/service-kit/operator-audit'
import type { FastifyPluginAsync } from 'fastify'
import { duePayouts, paidPayouts, payOut } from '../books/payout.actions.ts'
import type { Deps } from '../deps.ts'
import { orBusy } from '../orders/order.errors.ts'

export const opsPayoutRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.listPayouts, async () => ({
    due: (await duePayouts(db)).map(({ dueCents, ...account }) => ({ ...account, due: toEuros(dueCents) })),
    paid: (await paidPayouts(db)).map(({ id, userId, amountCents, operator, reason, at }) => ({
      payoutId: id,
      userId,
      operator,
      reason,
      amount: toEuros(amountCents),
      at: at.toISOString(),
    })),
  }))

  registerRoute(app, api.recordPayout, async ({ body }) => {
    const { payoutId, userId, amount, operator, reason } = body
    const payout = await orBusy(
      db.transaction().execute(async (trx) => {
        await recordOperatorAction(trx, { action: 'payout', subject: userId, operator, reason })
        return payOut(trx, { payoutId, userId, operator, reason, amountCents: Math.round(amount * 100) })
      }),
    )
    return { payoutId, userId, amount: toEuros(payout.amountCents), at: payout.at.toISOString() }
  })
}
