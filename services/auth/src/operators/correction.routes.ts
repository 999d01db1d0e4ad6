import * as api from '@nifty/api/auth/corrections'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { describeSecurityEvent } from '@nifty/service-kit/http/security-event'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import { logDeletion } from '../accounts/deletion-log.ts'
import type { Deps } from '../deps.ts'
import { correctEmail, deleteAccountOf, removeFromProfile } from './correction.actions.ts'

/** For operators; only on the internal port. */
export const correctionRoutes: FastifyPluginAsync<Deps> = async (
  app,
  { db, log, config, sessionsEnded, avatars, covers },
) => {
  async function removeFiles({ avatar, cover }: { avatar: string | null; cover: string | null }) {
    if (avatar) await avatars.discard(avatar)
    if (cover) await covers.discard(cover)
  }

  registerRoute(app, api.correctEmail, async (request) => {
    const { userId } = await inTransaction(db, (trx) => correctEmail(trx, actionOf(request), config))
    describeSecurityEvent(request, { userId })
    await sessionsEnded()
    return { success: true as const, userId }
  })

  registerRoute(app, api.removeFromProfile, async (request) => {
    const { userId, ...files } = await inTransaction(db, (trx) => removeFromProfile(trx, actionOf(request)))
    describeSecurityEvent(request, { userId })
    await removeFiles(files)
    return { success: true as const, userId }
  })

  registerRoute(app, api.deleteAccountOf, async (request) => {
    const { userId, erasedFrom, ...files } = await inTransaction(db, (trx) =>
      deleteAccountOf(trx, actionOf(request), config),
    )
    logDeletion(log, userId, erasedFrom)
    describeSecurityEvent(request, { userId })
    await sessionsEnded()
    await removeFiles(files)
    return { success: true as const, userId, erasedFrom: erasedFrom?.toISOString() ?? null }
  })
}
