import * as api from '@nifty/api/auth/step-up'
import { unauthenticated } from '@nifty/service-kit/base/errors'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import { STEP_UP_LIFE_S } from '@nifty/service-kit/http/token'
import type { FastifyPluginAsync } from 'fastify'
import { findAccount } from '../accounts/account.store.ts'
import type { Deps } from '../deps.ts'
import { byPasskey } from './passkey.ts'
import { byPassword, byPasswordAndCode } from './password.ts'
import type { AuthenticationMethod } from './step-up.ts'
import { byWallet, challengeForStepUp } from './wallet.ts'

const methods: { [name in api.StepUpMethod]: AuthenticationMethod<api.StepUpProofs[name]> } = {
  password: byPassword,
  passwordAndCode: byPasswordAndCode,
  wallet: byWallet,
  passkey: byPasskey,
}

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
    const [[name, proof]] = Object.entries(request.body) as [[api.StepUpMethod, unknown]]
    const { check } = methods[name] as AuthenticationMethod<unknown>
    await check(deps, { account, proof, ip: request.ip })

    const expiresAt = new Date(Date.now() + STEP_UP_LIFE_S * 1000).toISOString()
    return { success: true as const, stepUp: deps.keys.signStepUp({ userId, sessionId }), expiresAt }
  })

  registerRoute(app, api.listStepUpMethods, async (request) => {
    const account = await ownAccount(callerOf(request).userId)
    const names = Object.keys(methods) as api.StepUpMethod[]
    const available = await Promise.all(names.map((name) => methods[name].isAvailable(deps, account)))
    return { methods: names.filter((_, place) => available[place]) }
  })

  registerRoute(app, api.stepUpChallenge, (request) => challengeForStepUp(deps, callerOf(request).userId))
}
