import * as api from '@nifty/api/payments/public'
import { STATEMENT_PAGE } from '@nifty/api/payments/statement-page'
import { toEuros } from '@nifty/api/shapes'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { type AccountEntry, accountEntries, bookedMonths, unpaidSums } from './book.store.ts'
import { readCursor } from './entry-cursor.ts'
import { paidOutCents } from './payout.actions.ts'

export const statementRoutes: FastifyPluginAsync<Deps> = async (app, { db, config }) => {
  const holdMs = config.payoutHoldMs

  async function pageOf(of: { userId: string; month: string; after?: number; limit: number }) {
    const read = await accountEntries(db, { ...of, holdMs, limit: of.limit + 1 })
    const entries = read.slice(0, of.limit)
    const next = read.length > of.limit ? String(entries.at(-1)!.id) : null
    return { entries: entries.map(viewEntry), next }
  }

  registerRoute(app, api.getStatement, async (request) => {
    const { userId } = callerOf(request)
    const months = await bookedMonths(db, userId)
    const month = request.query.month ?? months[0] ?? null
    const page = month ? await pageOf({ userId, month, limit: STATEMENT_PAGE }) : { entries: [], next: null }
    const [owed] = await unpaidSums(db, { holdMs, userId })
    return {
      months,
      month,
      ...page,
      due: toEuros(owed?.dueCents ?? 0),
      waiting: toEuros(owed?.waitingCents ?? 0),
      heldBack: toEuros(owed?.heldBackCents ?? 0),
      paidOut: toEuros(await paidOutCents(db, userId)),
    }
  })

  registerRoute(app, api.listStatementEntries, async (request) => {
    const { userId } = callerOf(request)
    const { month, limit = STATEMENT_PAGE } = request.query
    const after = await readCursor(db, userId, request.query.after)
    return pageOf({ userId, month, after, limit: Number(limit) })
  })
}

const viewEntry = ({ id, at, dueAt, paidOutAt, amountCents, ...entry }: AccountEntry): api.StatementEntry => {
  const { lineId, itemId, name, kind, cause, status, heldBecause, priceCents, commissionCents, royaltyCents } = entry
  return {
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
    price: toEuros(priceCents),
    commission: toEuros(commissionCents),
    royalty: toEuros(royaltyCents),
    due: toEuros(amountCents),
  }
}
