import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/minting'
import type { Deps } from '../deps.ts'
import { getToken } from '../tokens/token.store.ts'
import { requestWithdrawal } from './withdrawal.actions.ts'
import { listWithdrawals } from './withdrawal.store.ts'
import { toResponse } from './withdrawal.ts'

const LISTED_WITHDRAWALS = 200

export const withdrawalRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  const { db, context, authenticate } = deps

  app.post('/api/withdrawals', { schema: api.createWithdrawal }, async (request, reply) => {
    const { userId } = await authenticate(request)
    const { contract, identifier } = request.body
    const { token } = await getToken(context, { contract, identifier })
    const withdrawal = await db
      .transaction()
      .execute((trx) => requestWithdrawal(trx, { token, userId }, deps.forbiddenRecipients))
    return reply.code(202).send(toResponse(withdrawal, context.contracts.collection))
  })

  app.get('/api/withdrawals', { schema: api.withdrawals }, async (request) => {
    const { userId } = await authenticate(request)
    const own = await listWithdrawals(db, userId, LISTED_WITHDRAWALS)
    return { withdrawals: own.map((withdrawal) => toResponse(withdrawal, context.contracts.collection)) }
  })
}
