import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/catalog'
import { invalid } from '@nifty/service-kit/errors'
import type { Deps } from '../app.ts'
import { sendReady } from '../cache/send-cached.ts'
import { bestCreators } from './creators.store.ts'

const MOST = 200

export const creatorRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { market }) => {
  /** `sort=best` is the only order there is, and what everybody gets who names another. */
  app.get('/api/creators', { schema: api.creators }, async (request, reply) => {
    const limit = readLimit(request.query.limit)
    const answer = await market.answer(`creators ${limit}`, async (snapshot) => ({
      creators: await bestCreators(snapshot, limit),
    }))
    return sendReady(request, reply, answer)
  })
}

function readLimit(text: string | undefined): number {
  if (text === undefined || text === '') return MOST
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (limit < 1) throw invalid('invalid_paging', 'Invalid paging')
  return Math.min(limit, MOST)
}
