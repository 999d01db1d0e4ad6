import * as api from '@nifty/api/payments/public'
import { toEuros } from '@nifty/api/shapes'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { accountEntries, bookedMonths, unpaidSums } from './book.store.ts'
import { paidOutCents } from './payout.actions.ts'

export const statementRoutes: FastifyPluginAsync<Deps> = async (app, { db, config }) => {
  registerRoute(app, api.getStatement, async (request) => {
    const { userId } = callerOf(request)
    const holdMs = config.payoutHoldMs
    const months = await bookedMonths(db, userId)
    const month = request.query.month ?? months[0] ?? null
    const entries = month ? await accountEntries(db, { holdMs, userId, month }) : []
    const [owed] = await unpaidSums(db, { holdMs, userId })
    return {
      months,
      month,
      entries: entries.map(
        ({ id, lineId, itemId, name, kind, cause, status, heldBecause, at, dueAt, paidOutAt, ...cents }) => ({
          _id: id,
          lineId,
          itemId,
          name,
          kind,
          cause,
          status,
          heldBecause,
          at: at.toISOString(),
          dueAt: dueAt.toISOString(),
          paidOutAt: paidOutAt?.toISOString() ?? null,
          price: toEuros(cents.priceCents),
          commission: toEuros(cents.commissionCents),
          royalty: toEuros(cents.royaltyCents),
          due: toEuros(cents.amountCents),
        }),
      ),
      due: toEuros(owed?.dueCents ?? 0),
      waiting: toEuros(owed?.waitingCents ?? 0),
      heldBack: toEuros(owed?.heldBackCents ?? 0),
      paidOut: toEuros(await paidOutCents(db, userId)),
    }
  })
}
