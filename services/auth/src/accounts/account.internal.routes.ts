import { announceExport, findSuspended, getBuyer, getWithdrawer, switchNotifications } from '@nifty/api/auth/internal'
import { notFound } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { alertOwnerDaily, changeAccount } from './account.actions.ts'
import { findAccount, findSuspendedAccounts, findWithdrawer, lockAccount } from './account.store.ts'
import { isBlocked } from './account.ts'

export const accountInternalRoutes: FastifyPluginAsync<Deps> = async (app, { db, config }) => {
  registerRoute(app, getBuyer, async ({ params: { id } }) => {
    const account = await findAccount(db, id)
    if (!account) throw notFound('user_not_found', 'User not Found')
    const { username, email, wallet, emailConfirmedAt, createdAt } = account
    const facts = { emailConfirmed: emailConfirmedAt !== null, createdAt: createdAt.toISOString() }
    return { userId: id, username, email, wallet, suspended: isBlocked(account), ...facts }
  })

  registerRoute(app, findSuspended, async ({ body }) => ({ userIds: await findSuspendedAccounts(db, body.userIds) }))

  registerRoute(app, switchNotifications, async ({ params: { id }, body }) => {
    await inTransaction(db, async (trx) => {
      const account = await lockAccount(trx, id)
      if (!account) throw notFound('user_not_found', 'User not Found')
      await changeAccount(trx, id, { notifications: { ...account.notifications, ...body } })
    })
    return { success: true as const }
  })

  registerRoute(app, announceExport, async ({ params: { id } }) => {
    await inTransaction(db, async (trx) => {
      if (!(await lockAccount(trx, id))) throw notFound('user_not_found', 'User not Found')
      await alertOwnerDaily(trx, id, 'data_exported', config.mailTokenKeys)
    })
    return { success: true as const }
  })

  registerRoute(app, getWithdrawer, async ({ params: { id } }) => {
    const withdrawer = await findWithdrawer(db, id, config.withdrawalWaitHours)
    if (!withdrawer) throw notFound('user_not_found', 'User not Found')
    const { waitsUntil, ...rest } = withdrawer
    return { ...rest, waitsUntil: waitsUntil?.toISOString() ?? null }
  })
}
