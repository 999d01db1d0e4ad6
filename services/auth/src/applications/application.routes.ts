import * as api from '@nifty/api/auth/applications'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { apply, withdrawApplication } from './application.actions.ts'
import { findNewestApplication } from './application.store.ts'
import { parseApplication, showApplication } from './application.ts'

/** Applications of accounts to sell their works. Operators decide on them with `pnpm ops`. */
export const applicationRoutes: FastifyPluginAsync<Deps> = async (app, { db, config }) => {
  registerRoute(app, api.getSellerApplication, async (request) => {
    const newest = await findNewestApplication(db, callerOf(request).userId)
    return { application: newest ? showApplication(newest) : null }
  })

  registerRoute(app, api.applyToSell, async (request) => {
    const { userId } = callerOf(request)
    const form = parseApplication(request.body)
    const application = await inTransaction(db, (trx) => apply(trx, userId, form, config.limits.applicationsPerDay))
    return { success: true as const, application: showApplication(application) }
  })

  registerRoute(app, api.withdrawSellerApplication, async (request) => {
    await inTransaction(db, (trx) => withdrawApplication(trx, callerOf(request).userId))
    return { success: true as const }
  })
}
