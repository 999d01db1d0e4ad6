import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operatorCommand } from '@nifty/api/internal'
import { inTransaction } from '@nifty/service-kit/transaction'
import type { InternalDeps } from '../deps.ts'
import { confirmEmailByHand, grantAdmin, reinstateAccount, revokeAdmin, suspendAccount } from './operator.actions.ts'

const actions = {
  'grant-admin': grantAdmin,
  'revoke-admin': revokeAdmin,
  'suspend-account': suspendAccount,
  'reinstate-account': reinstateAccount,
  'confirm-email': confirmEmailByHand,
}

/** Routes for `pnpm ops`. */
export const operatorRoutes: FastifyPluginAsyncTypebox<InternalDeps> = async (app, { db, sessionsEnded }) => {
  for (const [name, act] of Object.entries(actions))
    app.post(`/internal/ops/${name}`, { schema: operatorCommand }, async ({ body: { email, by, why } }) => {
      const { userId } = await inTransaction(db, (trx) => act(trx, { email, operator: by, reason: why }))
      await sessionsEnded()
      return { success: true as const, userId }
    })
}
