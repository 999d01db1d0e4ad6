import type { Endpoint } from '@nifty/api/endpoint'
import { auditedEndpoints } from '@nifty/api/endpoints/audited'
import type { FastifyRequest } from 'fastify'
import { callerIfAny } from './routes.ts'
import type { NewSecurityEvent } from './security-event.store.ts'
import { signatureOf } from './signed-requests.ts'

/** What only the handler has: the account of a log-in, or a kind more exact than that of the endpoint. */
type Details = { kind?: string; userId?: string; sessionId?: string; code?: string }

const details = new WeakMap<FastifyRequest, Details>()

/** Adds to the security event of this request; later values replace earlier ones. */
export function describeSecurityEvent(request: FastifyRequest<any>, more: Details) {
  details.set(request as FastifyRequest, { ...details.get(request as FastifyRequest), ...more })
}

/** The code of the error that was sent for a request; undefined without one. */
export const errorCodeOf = (request: FastifyRequest) => details.get(request)?.code

/** Refusals without a caller: every client can cause any number of them, so they are only counted by the metrics. */
const unattributed = new Set(['unauthenticated', 'invalid_request', 'invalid_characters', 'too_deep', 'too_large'])

/**
 * Whether an event is stored, not only counted by the metrics: strangers cause any number of those that name no
 * account. Internal ports are not theirs.
 */
export const isStored = ({ userId, operator }: NewSecurityEvent, { access }: Pick<Endpoint, 'access'>) =>
  Boolean(userId || operator) || access === 'operator' || access === 'service'

/** The security event of a completed request, or undefined for one that is none. */
export function securityEventOf(request: FastifyRequest, status: number): NewSecurityEvent | undefined {
  const endpoint = request.routeOptions.config?.endpoint
  if (!endpoint || status === 503) return undefined
  const { kind: given, code = String(status), ...who } = details.get(request) ?? {}
  const outcome = status < 400 ? 'ok' : code
  if (unattributed.has(outcome)) return undefined

  const commanded = endpoint.access === 'operator' && endpoint.method !== 'GET'
  const denied = status === 403 ? 'access_denied' : undefined
  const kind = given ?? auditedEndpoints.get(endpoint) ?? (commanded ? 'operator' : denied)
  if (!kind) return undefined
  const caller = callerIfAny(request)
  return {
    kind,
    outcome,
    userId: who.userId ?? caller?.userId ?? null,
    sessionId: who.sessionId ?? caller?.sessionId ?? null,
    operator: signatureOf(request)?.operator ?? null,
    route: `${endpoint.method} ${endpoint.path}`,
    address: request.ip.slice(0, 64),
    requestId: request.id,
  }
}
