import * as api from '@nifty/api/catalog/creators'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { sendCached } from '../cache/send-cached.ts'
import type { Deps } from '../deps.ts'
import { bestCreators } from './creators.store.ts'
import { readPaging } from './paging.ts'

export const creatorsRoutes: FastifyPluginAsync<Deps> = async (app, { responses, offers }) => {
  /** `sort` is ignored: `best` is the only order. */
  registerRoute(app, api.listCreators, async (request, reply) => {
    const paging = readPaging(request.query)
    return sendCached(responses, request, reply, {
      key: `creators ${paging.page} ${paging.limit}`,
      build: (snapshot) => bestCreators(snapshot, paging, { offers }),
    })
  })
}
