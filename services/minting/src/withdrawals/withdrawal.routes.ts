import { getWithdrawer } from '@nifty/api/auth/internal'
import * as api from '@nifty/api/minting/public'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { getToken } from '../tokens/token.store.ts'
import { assertNotSuspended, requestWithdrawal } from './withdrawal.actions.ts'
import { listWithdrawals } from './withdrawal.store.ts'
import { toResponse } from './withdrawal.ts'

const LISTED_WITHDRAWALS = 200

export const withdrawalRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  const { db, context, auth, forbiddenRecipients, config } = deps

  registerRoute(app, api.createWithdrawal, async (request) => {
    const { userId } = callerOf(request)
    const { contract, identifier } = request.body
    const { token } = await getToken(context, { contract, identifier })
    // Asked of auth, not of the copy here: the copy may be older than a change after which withdrawals wait.
    const withdrawer = await auth(getWithdrawer, { params: { id: userId } })
    const withdrawal = await inTransaction(db, async (trx) => {
      await assertNotSuspended(trx, userId)
      const { custodyHoldHours } = config
      return requestWithdrawal(trx, { token, userId, withdrawer }, { forbiddenRecipients, custodyHoldHours })
    })
    return toResponse(withdrawal, context.contracts.collection)
  })

  registerRoute(app, api.listWithdrawals, async (request) => {
    const { userId } = callerOf(request)
    const own = await listWithdrawals(db, userId, LISTED_WITHDRAWALS)
    return { withdrawals: own.map((withdrawal) => toResponse(withdrawal, context.contracts.collection)) }
  })
}
