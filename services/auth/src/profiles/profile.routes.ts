import * as api from '@nifty/api/auth/public'
import { accessDenied, notFound, unauthenticated } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerIfAny, callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { findAccount, findAccountByUsername } from '../accounts/account.store.ts'
import { hasPublicProfile } from '../accounts/account.ts'
import { currentUser, lockScreenProfile, ownProfile, publicProfile } from '../accounts/account.views.ts'
import type { Deps } from '../deps.ts'
import { changeProfile } from './profile.actions.ts'
import { parseProfileChange } from './profile.ts'

const userNotFound = () => notFound('user_not_found', 'User not Found')

export const profileRoutes: FastifyPluginAsync<Deps> = async (app, { db, config }) => {
  registerRoute(app, api.getCurrentUser, async (request) => {
    const { userId } = callerOf(request)
    const account = await findAccount(db, userId)
    if (!account) throw unauthenticated()
    return { user: currentUser(account) }
  })

  registerRoute(app, api.getPublicProfile, async ({ params }) => {
    const account = await findAccountByUsername(db, params.username)
    if (!account || !hasPublicProfile(account, config)) throw userNotFound()
    return publicProfile(account)
  })

  // Public, because the lock screen has no valid token: others than the owner get four fields.
  registerRoute(app, api.getProfile, async (request) => {
    const caller = callerIfAny(request)
    const account = await findAccount(db, request.params.id)
    if (!account) throw userNotFound()
    return caller?.userId === account.id ? ownProfile(account) : lockScreenProfile(account)
  })

  registerRoute(app, api.changeProfile, async (request) => {
    const { userId, steppedUp } = callerOf(request)
    if (userId !== request.params.id) throw accessDenied()
    const change = parseProfileChange(request.body as Record<string, unknown>, config.storeName)
    const account = await inTransaction(db, (trx) => changeProfile(trx, userId, { change, steppedUp, config }))
    return { success: true as const, message: 'Profile updated successfully', user: ownProfile(account) }
  })
}
