import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { accountEndpoints } from './account/account.endpoints.ts'
import type { Endpoint, PathParams } from './api/endpoint.ts'
import { inMode, isLiveKey } from './api/mode.ts'
import { createPipeline, type Pipeline } from './api/pipeline.ts'
import { sessionEndpoints } from './checkout/session.endpoints.ts'
import { type ControlDeps, controlRoutes } from './control/control.routes.ts'
import { customerEndpoints } from './customers/customer.endpoints.ts'
import { disputeEndpoints } from './disputes/dispute.endpoints.ts'
import { ApiError, malformedForm, unknownUrl } from './errors/api-error.ts'
import type { Log } from './log.ts'
import { pageRoutes } from './pay-page/page.routes.ts'
import { intentEndpoints } from './payments/intent.endpoints.ts'
import { refundEndpoints } from './refunds/refund.endpoints.ts'
import { newId } from './store/id.ts'
import { apiVersion } from './store/transaction.ts'
import { webhookEndpointEndpoints } from './webhooks/endpoint.endpoints.ts'
import { eventEndpoints } from './webhooks/event.endpoints.ts'

type AppDeps = ControlDeps & { secretKey: string; payUrl: () => string; log: Log }

const first = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)

/** All routes: the Stripe API, the pay pages, and the control API. */
export function buildApp(deps: AppDeps): FastifyInstance {
  const app = Fastify({
    forceCloseConnections: true,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: true } },
  })
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, body),
  )
  app.addHook('onSend', async (_, reply) => {
    if (!reply.hasHeader('request-id')) reply.header('request-id', newId('req', 14))
  })

  app.setErrorHandler<FastifyError | ApiError>((error, request, reply) => {
    if (error instanceof ApiError) return reply.code(error.status).send({ error: error.body })
    const status = error.statusCode ?? 500
    if (status >= 500)
      deps.log.error({ err: error, url: request.url }, 'card sandbox: request failed, responding with 500')
    const type = status >= 500 ? 'api_error' : 'invalid_request_error'
    const message = status >= 500 ? 'Something went wrong on our side.' : error.message
    return reply.code(status).send({ error: { type, message } })
  })
  app.setNotFoundHandler((request, reply) => {
    const { status, body } = unknownUrl(request.method, request.url.split('?')[0]!)
    return reply.code(status).send({ error: body })
  })

  const endpoints = [
    ...accountEndpoints(deps.secretKey),
    ...customerEndpoints,
    ...sessionEndpoints(deps.payUrl),
    ...intentEndpoints,
    ...refundEndpoints,
    ...disputeEndpoints,
    ...eventEndpoints,
    ...webhookEndpointEndpoints(deps.endpoint),
  ]
  const handle = createPipeline(deps)
  const livemode = isLiveKey(deps.secretKey)
  for (const endpoint of endpoints) register(app, endpoint, handle, livemode)
  app.register(pageRoutes, deps)
  app.register(controlRoutes, deps)
  app.get('/', (_, reply) => reply.redirect('/sandbox/ledger'))
  return app
}

function register(app: FastifyInstance, endpoint: Endpoint, handle: Pipeline, livemode: boolean) {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    handler: async (request, reply) => {
      if (typeof request.body === 'object' && request.body !== null) throw malformedForm()
      const [path = '', query = ''] = request.url.split('?', 2)
      const response = await handle(endpoint, {
        method: request.method,
        path,
        query,
        body: typeof request.body === 'string' ? request.body : '',
        params: request.params as PathParams,
        authorization: request.headers.authorization,
        idempotencyKey: first(request.headers['idempotency-key']),
        version: first(request.headers['stripe-version']) ?? apiVersion,
      })
      if ('closeAfterMs' in response) {
        reply.hijack()
        await sleep(response.closeAfterMs, undefined, { ref: false })
        request.raw.socket.destroy()
        return
      }
      return reply
        .code(response.status)
        .headers(response.headers)
        .type('application/json; charset=utf-8')
        .send(inMode(response.body, livemode))
    },
  })
}
