import * as api from '@nifty/api/catalog/public'
import { invalid } from '@nifty/service-kit/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { sendCached } from '../cache/send-cached.ts'
import type { Deps } from '../deps.ts'
import { bestCreators } from './creators.store.ts'

const MAX_LIMIT = 200

export const creatorsRoutes: FastifyPluginAsync<Deps> = async (app, { responses }) => {
  /** `sort` is ignored: `best` is the only order. */
  registerRoute(app, api.listCreators, async (request, reply) => {
    const limit = readLimit(request.query.limit)
    return sendCached(responses, request, reply, {
      key: `creators ${limit}`,
      build: async (snapshot) => ({ creators: await bestCreators(snapshot, limit) }),
    })
  })
}

function readLimit(text: string | undefined): number {
  if (text === undefined || text === '') return MAX_LIMIT
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (limit < 1) throw invalid('invalid_paging', 'Invalid paging')
  return Math.min(limit, MAX_LIMIT)
}
