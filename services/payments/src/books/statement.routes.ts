import * as api from '@nifty/api/payments/public'
import { toEuros } from '@nifty/api/shapes'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { accountEntries, type EntryStatus } from './book.store.ts'

export const statementRoutes: FastifyPluginAsync<Deps> = async (app, { db, config }) => {
  registerRoute(app, api.getStatement, async (request) => {
    const entries = await accountEntries(db, { holdMs: config.payoutHoldMs, userId: callerOf(request).userId })
    const sum = (status: EntryStatus) =>
      toEuros(entries.reduce((cents, entry) => cents + (entry.status === status ? entry.amountCents : 0), 0))
    return {
      entries: entries.map(({ id, lineId, itemId, name, kind, cause, status, at, dueAt, paidOutAt, ...cents }) => ({
        ...{ _id: id, lineId, itemId, name, kind, cause, status },
        at: at.toISOString(),
        dueAt: dueAt.toISOString(),
        paidOutAt: paidOutAt?.toISOString() ?? null,
        price: toEuros(cents.priceCents),
        commission: toEuros(cents.commissionCents),
        royalty: toEuros(cents.royaltyCents),
        due: toEuros(cents.amountCents),
      })),
      due: sum('due'),
      waiting: sum('waiting'),
      heldBack: sum('held_back'),
      paidOut: sum('paid'),
    }
  })
}
