import * as api from '@nifty/api/payments/disputes'
import { recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import { acknowledgedAmong } from '../alarms/alarm.store.ts'
import type { Deps } from '../deps.ts'
import { orBusy } from '../orders/order.errors.ts'
import { clearReversal } from '../reversals/clearance.actions.ts'
import { allowBuyer, undecidedReversals } from '../reversals/reversal.store.ts'
import { isContesting } from '../reversals/reversal.ts'
import { viewReversal } from './order.store.ts'

export const opsDisputeRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.listDisputes, async () => {
    const undecided = await undecidedReversals(db)
    const ids = undecided.map(({ id }) => id)
    const acknowledged = await acknowledgedAmong(db, ['disputed', 'fraud_warning'], ids)
    return {
      disputes: undecided.map(({ buyerId, ...reversal }) => ({
        ...viewReversal(reversal),
        orderId: reversal.orderId,
        buyerId,
        since: reversal.createdAt.toISOString(),
        dueBy: reversal.dueBy?.toISOString() ?? null,
        cleared: !isContesting(reversal),
        acknowledged: acknowledged.has(reversal.id),
      })),
    }
  })

  registerRoute(app, api.clearDispute, async (request) => {
    const { reversalId, operator, reason } = actionOf(request)
    return orBusy(
      db.transaction().execute(async (trx) => {
        const reversal = await clearReversal(trx, reversalId)
        await recordOperatorAction(trx, { action: 'clear-dispute', subject: reversal.orderId, operator, reason })
        return viewReversal(reversal)
      }),
    )
  })

  registerRoute(app, api.allowBuyer, async (request) => {
    const { userId, operator, reason } = actionOf(request)
    return orBusy(
      db.transaction().execute(async (trx) => {
        await recordOperatorAction(trx, { action: 'allow-buyer', subject: userId, operator, reason })
        return { disputes: await allowBuyer(trx, userId) }
      }),
    )
  })
}
