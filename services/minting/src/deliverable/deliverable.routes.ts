import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/internal'
import { ExpectedError } from '@nifty/service-kit/errors'
import type { Lane } from '../chain-transactions/chain-context.ts'
import { assertReady, notNow, type Verdict, verdictOf } from './deliverable.actions.ts'

export const deliverableRoutes: FastifyPluginAsyncTypebox<{ lane: Lane }> = async (app, { lane }) => {
  app.post('/internal/deliverable', { schema: api.deliverable }, async (request) => {
    const { to, tokens } = request.body
    try {
      await assertReady(lane, tokens.length)
      const verdicts: Verdict[] = []
      for (const { token, ownerId } of tokens) verdicts.push(await verdictOf(lane, { token, ownerId, to }))
      return { tokens: verdicts }
    } catch (error) {
      if (error instanceof ExpectedError) throw error
      // The chain's node does not answer: nothing is known, so nothing is promised.
      request.log.warn({ err: error }, 'the chain does not answer')
      throw notNow('chain_unavailable')
    }
  })
}
