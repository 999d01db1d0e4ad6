import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/minting'
import type { Deps } from '../app.ts'
import { findOwnToken } from '../permits/permit.actions.ts'
import { requestWithdrawal } from './withdrawal.actions.ts'
import { listWithdrawals } from './withdrawal.store.ts'
import { answerOf } from './withdrawal.ts'

const LISTED_WITHDRAWALS = 200

export const withdrawalRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  const { db, lane, authenticate } = deps

  app.post('/api/withdrawals', { schema: api.createWithdrawal }, async (request, reply) => {
    const { userId } = await authenticate(request)
    const { contract, identifier } = request.body
    const { token } = await findOwnToken(lane, contract, identifier)
    const withdrawal = await db
      .transaction()
      .execute((trx) => requestWithdrawal(trx, { token, userId }, deps.forbiddenRecipients))
    return reply.code(202).send(answerOf(withdrawal, lane.contracts.collection))
  })

  app.get('/api/withdrawals', { schema: api.withdrawals }, async (request) => {
    const { userId } = await authenticate(request)
    const own = await listWithdrawals(db, userId, LISTED_WITHDRAWALS)
    return { withdrawals: own.map((withdrawal) => answerOf(withdrawal, lane.contracts.collection)) }
  })
}
