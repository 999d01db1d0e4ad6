import type { OperatorRole } from '@nifty/api/endpoint'
import type { FastifyRequest } from 'fastify'
import type { SignedRequest } from './operator-token.ts'

const signed = new WeakMap<FastifyRequest, SignedRequest>()

export const rememberSigned = (request: FastifyRequest, by: SignedRequest) => signed.set(request, by)

/** Who signed the request; undefined for a request that no operator signed. */
export const signatureOf = (request: FastifyRequest): SignedRequest | undefined => signed.get(request)

export const hasOneOf = (own: readonly OperatorRole[], roles: readonly OperatorRole[]): boolean =>
  own.some((role) => role === 'owner' || roles.includes(role))

/** Whether the operator who signed the request has the role; `owner` has all of them. */
export const hasRole = (request: FastifyRequest<any>, role: OperatorRole): boolean =>
  hasOneOf(signatureOf(request as FastifyRequest)?.roles ?? [], [role])

/**
 * The body of an operator's action, and the name of the operator who signed the request. Throws for another endpoint.
 */
export function actionOf<Body>(request: FastifyRequest<any> & { body: Body }): Body & { operator: string } {
  const by = signatureOf(request as FastifyRequest)
  if (!by) throw new Error(`${request.method} ${request.routeOptions.url} is signed by nobody`)
  return { ...request.body, operator: by.operator }
}
