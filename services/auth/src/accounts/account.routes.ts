import * as api from '@nifty/api/auth/deletion'
import { accessDenied } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { deleteAccount } from './account.actions.ts'
import { logDeletion } from './deletion-log.ts'

export const accountRoutes: FastifyPluginAsync<Deps> = async (
  app,
  { db, log, config, avatars, covers, sessionsEnded },
) => {
  registerRoute(app, api.deleteAccount, async (request) => {
    const { userId } = callerOf(request)
    if (userId !== request.params.id) throw accessDenied()

    const giveUpWorks = request.query.giveUpWorks === 'true'
    const { avatar, cover, erasedFrom } = await inTransaction(db, (trx) =>
      deleteAccount(trx, userId, { giveUpWorks, config }),
    )
    logDeletion(log, userId, erasedFrom)
    await sessionsEnded()
    if (avatar) await avatars.discard(avatar)
    if (cover) await covers.discard(cover)
    return {
      success: true as const,
      message: 'Account deleted successfully',
      erasedFrom: erasedFrom?.toISOString() ?? null,
    }
  })
}
