import * as api from '@nifty/api/notification/public'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { unsubscribe } from './unsubscribe.actions.ts'
import { readToken, unsubscribeUrl } from './unsubscribe-token.ts'

export const unsubscribeRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  const {
    store: { publicUrl },
    mailTokenKeys,
  } = deps
  // The forms of RFC 8058. The address alone decides, so their content is not read.
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data'])
    app.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit: 1_024 }, (_request, _body, done) => done(null))

  registerRoute(app, api.unsubscribe, async ({ body }) => {
    const { list, id } = readToken(body.token, mailTokenKeys)
    await unsubscribe(deps, { list, id })
    return { success: true as const, list }
  })

  registerRoute(app, api.unsubscribeOneClick, async ({ query }) => {
    await unsubscribe(deps, readToken(query.token, mailTokenKeys))
    return { success: true as const }
  })

  registerRoute(app, api.openOneClick, async ({ query }, reply) =>
    reply.redirect(unsubscribeUrl(publicUrl, encodeURIComponent(query.token)), 303),
  )
}
