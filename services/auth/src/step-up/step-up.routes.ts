import * as api from '@nifty/api/auth/step-up'
import { unauthenticated } from '@nifty/service-kit/base/errors'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import { STEP_UP_LIFE_S } from '@nifty/service-kit/http/token'
import type { FastifyPluginAsync } from 'fastify'
import { findAccount } from '../accounts/account.store.ts'
import type { Deps } from '../deps.ts'
import { type Means, means } from './means.ts'
import { challengeForStepUp } from './wallet.ts'

export const stepUpRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  const ownAccount = async (userId: string) => {
    const account = await findAccount(deps.db, userId)
    if (!account) throw unauthenticated()
    return account
  }

  registerRoute(app, api.stepUp, async (request) => {
    const { userId, sessionId } = callerOf(request)
    const account = await ownAccount(userId)
    // The schema admits exactly one property.
    const [[name, proof]] = Object.entries(request.body) as [[api.StepUpMeans, unknown]]
    const { check } = means[name] as Means<unknown>
    await check(deps, { account, proof, ip: request.ip })

    const expiresAt = new Date(Date.now() + STEP_UP_LIFE_S * 1000).toISOString()
    return { success: true as const, stepUp: deps.keys.signStepUp({ userId, sessionId }), expiresAt }
  })

  registerRoute(app, api.listStepUpMeans, async (request) => {
    const account = await ownAccount(callerOf(request).userId)
    const names = Object.keys(means) as api.StepUpMeans[]
    const available = await Promise.all(names.map((name) => means[name].isAvailable(deps, account)))
    return { means: names.filter((_, place) => available[place]) }
  })

  registerRoute(app, api.stepUpChallenge, (request) => challengeForStepUp(deps, callerOf(request).userId))
}
