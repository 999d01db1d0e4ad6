import { getBuyer } from '@nifty/api/auth/internal'
import { notFound } from '@nifty/service-kit/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { findAccount } from './account.store.ts'

export const accountInternalRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, getBuyer, async ({ params: { id } }) => {
    const account = await findAccount(db, id)
    if (!account) throw notFound('user_not_found', 'User not Found')
    const { username, email, wallet, suspendedAt } = account
    return { userId: id, username, email, wallet, suspended: suspendedAt !== null }
  })
}
