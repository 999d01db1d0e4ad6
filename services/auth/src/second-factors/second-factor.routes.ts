import * as api from '@nifty/api/auth/second-factor'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { confirmTotp, removeSecondFactor, replaceRecoveryCodes, startTotp } from './second-factor.actions.ts'
import { countRecoveryCodes, findTotp } from './second-factor.store.ts'

export const secondFactorRoutes: FastifyPluginAsync<Deps> = async (app, { db, config }) => {
  registerRoute(app, api.getSecondFactor, async (request) => {
    const { userId } = callerOf(request)
    const totp = await findTotp(db, userId)
    const onSince = totp?.confirmedAt?.toISOString() ?? null
    return { onSince, recoveryCodesLeft: await countRecoveryCodes(db, userId) }
  })

  registerRoute(app, api.startTotp, (request) =>
    inTransaction(db, (trx) => startTotp(trx, config, callerOf(request).userId)),
  )

  registerRoute(app, api.confirmTotp, async (request) => {
    const { userId } = callerOf(request)
    const recoveryCodes = await inTransaction(db, (trx) => confirmTotp(trx, config, userId, request.body.code))
    return { success: true as const, recoveryCodes }
  })

  registerRoute(app, api.replaceRecoveryCodes, async (request) => {
    const recoveryCodes = await inTransaction(db, (trx) => replaceRecoveryCodes(trx, config, callerOf(request).userId))
    return { success: true as const, recoveryCodes }
  })

  registerRoute(app, api.removeSecondFactor, async (request) => {
    await inTransaction(db, (trx) => removeSecondFactor(trx, config, callerOf(request).userId))
    return { success: true as const }
  })
}
