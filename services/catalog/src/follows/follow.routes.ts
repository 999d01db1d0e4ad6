import * as api from '@nifty/api/catalog/follows'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { follow, unfollow } from './follow.actions.ts'
import { followsOf } from './follow.store.ts'

export const followRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.listFollows, async (request) => ({ artists: await followsOf(db, callerOf(request).userId) }))

  registerRoute(app, api.follow, async (request) => {
    const { userId } = callerOf(request)
    await inTransaction(db, (trx) => follow(trx, { userId, artistId: request.params.id }))
    return { success: true as const }
  })

  registerRoute(app, api.unfollow, async (request) => {
    const { userId } = callerOf(request)
    await inTransaction(db, (trx) => unfollow(trx, { userId, artistId: request.params.id }))
    return { success: true as const }
  })
}
