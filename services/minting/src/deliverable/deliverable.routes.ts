import * as api from '@nifty/api/minting/internal'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { checkDeliverable, type Verdict } from './deliverable.actions.ts'
import { createReadinessCheck, unavailableNow } from './readiness.ts'

export const deliverableRoutes: FastifyPluginAsync<{ context: ChainContext }> = async (app, { context }) => {
  const assertReady = createReadinessCheck(context)

  registerRoute(app, api.checkDeliverable, async (request) => {
    const { to, tokens } = request.body
    try {
      const sender = await assertReady(tokens.length)
      const verdicts: Verdict[] = []
      for (const wanted of tokens) verdicts.push(await checkDeliverable(context, { ...wanted, to, sender }))
      return { tokens: verdicts }
    } catch (error) {
      if (error instanceof ExpectedError) throw error
      request.log.warn({ err: error }, 'chain node does not respond, refusing new purchases')
      throw unavailableNow('chain_unavailable')
    }
  })
}
