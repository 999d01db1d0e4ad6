import * as api from '@nifty/api/payments/public'
import { toEuros } from '@nifty/api/shapes'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { entriesOf } from './book.store.ts'

export const statementRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.getStatement, async (request) => {
    const { userId } = callerOf(request)
    const entries = await entriesOf(db, userId)
    const sum = (paid: boolean) =>
      entries.reduce((cents, { dueCents, paidOutAt }) => cents + ((paidOutAt !== null) === paid ? dueCents : 0), 0)
    return {
      entries: entries.map(({ priceCents, commissionCents, royaltyCents, dueCents, at, paidOutAt, ...entry }) => ({
        ...entry,
        at: at.toISOString(),
        price: toEuros(priceCents),
        commission: toEuros(commissionCents),
        royalty: toEuros(royaltyCents),
        due: toEuros(dueCents),
        paidOutAt: paidOutAt?.toISOString() ?? null,
      })),
      due: toEuros(sum(false)),
      paidOut: toEuros(sum(true)),
    }
  })
}
