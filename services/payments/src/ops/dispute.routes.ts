import * as api from '@nifty/api/payments/disputes'
import { takesEvidence } from '@nifty/api/payments/takes-evidence'
import { recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import { acknowledgedAmong } from '../alarms/alarm.store.ts'
import type { Deps } from '../deps.ts'
import { orBusy } from '../locks/lock.errors.ts'
import { findOrder } from '../orders/order.store.ts'
import { findTerms } from '../purchases/terms.store.ts'
import { clearReversal } from '../reversals/clearance.actions.ts'
import { needDispute, submitEvidence } from '../reversals/evidence.actions.ts'
import { evidenceFiles, evidenceOf } from '../reversals/evidence.ts'
import { allowBuyer, undecidedReversals } from '../reversals/reversal.store.ts'
import { isContesting } from '../reversals/reversal.ts'
import { orderHistory, viewReversal } from './order.store.ts'

export const opsDisputeRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  const { db, processor, log } = deps

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

  registerRoute(app, api.getEvidence, async ({ params }) => {
    const dispute = await needDispute(db, params.id)
    const order = (await findOrder(db, dispute.orderId))!
    const session = order.sessionId && (await processor.session(order.sessionId).catch(() => null))
    if (!session) log.warn({ disputeId: dispute.id }, 'evidence: without the name on the payment page')
    const facts = {
      history: await orderHistory(db, order),
      terms: await findTerms(db, order.termsVersion),
      customer: session ? session.customer : null,
      authorisedAt: order.authorisedAt?.toISOString() ?? null,
    }
    return {
      dispute: viewReversal(dispute),
      orderId: order.id,
      buyerId: order.buyerId,
      lineIds: facts.history.order.lines.map(({ _id }) => _id),
      dueBy: dispute.dueBy?.toISOString() ?? null,
      takesEvidence: takesEvidence(dispute.status),
      evidence: evidenceOf(facts),
      files: evidenceFiles(facts),
    }
  })

  registerRoute(app, api.submitEvidence, async (request) =>
    viewReversal(await submitEvidence(deps, { id: request.params.id, ...actionOf(request) })),
  )

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
