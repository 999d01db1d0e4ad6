import {
  type Access,
  type Endpoint,
  type EndpointBody,
  type EndpointParams,
  type EndpointQuery,
  type EndpointResponse,
  STEP_UP_HEADER,
} from '@nifty/api/endpoint'
import { responses } from '@nifty/api/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { Type } from 'typebox'
import { securityOf } from './openapi.ts'
import { stepUpRequired } from './step-up.ts'

/**
 * The account and the session that a bearer token names, and whether the request has a step-up token of that session.
 */
export type Caller = { userId: string; sessionId: string; steppedUp: boolean }

/** Refuses a request by throwing an ExpectedError; resolves with the caller where there is one. */
export type Guard = (request: FastifyRequest) => Promise<Caller | undefined>

/** One guard per kind of access that the endpoints of an app declare. */
export type Guards = Partial<Record<Exclude<Access, 'public'>, Guard>>

export type EndpointRequest<E extends Endpoint> = FastifyRequest<{
  Params: EndpointParams<E>
  Querystring: EndpointQuery<E>
  Body: EndpointBody<E>
}>

export type EndpointHandler<E extends Endpoint> = (
  request: EndpointRequest<E>,
  reply: FastifyReply,
) => Promise<EndpointResponse<E> | FastifyReply>

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

const callers = new WeakMap<FastifyRequest, Caller>()

/** The authenticated caller of an endpoint whose access needs a bearer token. Throws on any other endpoint. */
export function callerOf(request: FastifyRequest<any>): Caller {
  const caller = callers.get(request as FastifyRequest)
  if (!caller) throw new Error(`${request.method} ${request.routeOptions.url} authenticates no caller`)
  return caller
}

/** The authenticated caller of an endpoint whose access is `optional`; undefined without a valid token. */
export const callerIfAny = (request: FastifyRequest<any>): Caller | undefined => callers.get(request as FastifyRequest)

/** For endpoints whose `stepUp` is `sometimes`, where this request needs it. Throws 403 without a step-up token. */
export function requireStepUp(request: FastifyRequest<any>) {
  const { method, url, config } = request.routeOptions
  if (!config?.endpoint?.stepUp) throw new Error(`${method} ${url} declares no step-up`)
  if (!callerOf(request).steppedUp) throw stepUpRequired()
}

/**
 * Registers the handler of one endpoint: method, path, schemas, status and access come from the endpoint. Params, query
 * and body are validated, and the response is serialised by its schema, so that undeclared fields are not sent.
 */
export function registerRoute<E extends Endpoint>(
  app: FastifyInstance<any, any, any, any, any>,
  endpoint: E,
  handler: EndpointHandler<E>,
  options: Pick<RouteShorthandOptions, 'bodyLimit'> = {},
) {
  const { method, path, params, query, body, consumes, status = 200, response, hidden = false } = endpoint
  app.route({
    method,
    url: path,
    ...options,
    config: { endpoint },
    schema: {
      hide: hidden,
      security: securityOf(endpoint.access),
      ...(endpoint.stepUp ? { headers: stepUpHeader(endpoint.stepUp) } : {}),
      ...(consumes ? { consumes: [consumes] } : {}),
      ...(params ? { params } : {}),
      ...(query ? { querystring: query } : {}),
      ...(body ? { body } : {}),
      response: responses(response ? { [status]: response } : {}),
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      reply.code(status)
      return handler(request as EndpointRequest<E>, reply)
    },
  } as never)
}

/**
 * A hook `onRoute` that puts the guard of the endpoint's access before everything else, so that no body is read for a
 * caller who may not send one. A route that is not an endpoint, or whose access has no guard, does not start.
 */
export function guardRoutes(
  app: FastifyInstance<any, any, any, any, any>,
  guards: Guards,
  limitAccount: (request: FastifyRequest) => Promise<void>,
) {
  app.addHook('onRoute', (route) => {
    const endpoint = route.config?.endpoint
    if (!endpoint) throw new Error(`${route.method} ${route.url} is not an endpoint of packages/api`)
    if (endpoint.access === 'public') {
      if (endpoint.stepUp) throw new Error(`${route.method} ${route.url}: a step-up needs a caller`)
      return
    }
    if (endpoint.access === 'service' && !endpoint.callers?.length)
      throw new Error(`${route.method} ${route.url} names no service as its caller`)
    const guard = guards[endpoint.access]
    if (!guard) throw new Error(`${route.method} ${route.url}: this app has no guard for ${endpoint.access}`)
    const authorise = async (request: FastifyRequest) => {
      const caller = await guard(request)
      if (caller) {
        callers.set(request, caller)
        await limitAccount(request)
      }
      if (endpoint.stepUp === 'always' && !caller?.steppedUp) throw stepUpRequired()
    }
    route.onRequest = [authorise, ...[route.onRequest ?? []].flat()]
  })
}

/** Documents the header. It is checked by the guard, after the token and before the body. */
const stepUpHeader = (needed: NonNullable<Endpoint['stepUp']>) =>
  Type.Object({
    [STEP_UP_HEADER]: Type.Optional(
      Type.String({ description: `A step-up token, ${needed} needed: without it 403 step_up_required.` }),
    ),
  })
