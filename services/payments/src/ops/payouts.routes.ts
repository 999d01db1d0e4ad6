import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/payments-ops'
import { toEuros } from '@nifty/api/shapes'
import { duePayouts, paidPayouts, payOut } from '../books/payout.actions.ts'
import type { InternalDeps } from '../deps.ts'
import { orBusy } from '../orders/order.errors.ts'
import { recordAction } from './operator-action.store.ts'

export const opsPayoutRoutes: FastifyPluginAsyncTypebox<InternalDeps> = async (app, { db }) => {
  app.get('/internal/ops/payouts', { schema: api.payouts }, async () => ({
    due: (await duePayouts(db)).map(({ dueCents, ...account }) => ({ ...account, due: toEuros(dueCents) })),
    paid: (await paidPayouts(db)).map(({ id, amountCents, at, ...payout }) => ({
      ...payout,
      payoutId: id,
      amount: toEuros(amountCents),
      at: at.toISOString(),
    })),
  }))

  app.post('/internal/ops/payouts', { schema: api.payOut }, async ({ body }) => {
    const { payoutId, userId, amount } = body
    const payout = await orBusy(
      db.transaction().execute(async (trx) => {
        await recordAction(trx, 'payout', userId, body)
        return payOut(trx, { ...body, amountCents: Math.round(amount * 100) })
      }),
    )
    return { payoutId, userId, amount: toEuros(payout.amountCents), at: payout.at.toISOString() }
  })
}
