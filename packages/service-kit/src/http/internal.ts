import { type OperatorRole, rolesOf } from '@nifty/api/endpoint'
import { metrics } from '@nifty/api/infrastructure'
import type { FastifyRequest } from 'fastify'
import { accessDenied, forbidden } from '../base/errors.ts'
import type { Log } from '../base/logs.ts'
import { createApp } from './app.ts'
import { bodyDigest, createOperatorCheck, type Operators } from './operator-token.ts'
import { hasKeyOf, type ServiceKeys } from './service-keys.ts'
import { hasOneOf, rememberSigned, signatureOf } from './signed-requests.ts'
import type { TlsFiles } from './tls.ts'

const roleRequired = (roles: readonly OperatorRole[]) =>
  forbidden('role_required', `This needs an operator with the role ${roles.join(' or ')}.`)

/** Who may call the internal port of a service. */
export type Admitted = { callers: ServiceKeys['callers']; operators: Operators }

/**
 * The app of a service's internal port. Every request needs a key of a service that its endpoint names, or the
 * signature of an operator with the endpoint's role, unknown paths included; only metrics are open to everyone who
 * reaches the port, because scrapers hold no key and metrics name no person.
 */
export function createInternalApp({
  log,
  name,
  admitted,
  tls,
}: {
  log: Log
  name: string
  admitted: Admitted
  tls?: TlsFiles
}) {
  const checkOperator = createOperatorCheck(name, admitted.operators)

  const service = async ({ headers, routeOptions }: FastifyRequest) => {
    const { callers = [] } = routeOptions.config.endpoint!
    if (!hasKeyOf(callers, admitted.callers, headers)) throw accessDenied()
    return undefined
  }
  const operator = async (request: FastifyRequest) => {
    const by = checkOperator(request)
    rememberSigned(request, by)
    const roles = rolesOf(request.routeOptions.config.endpoint!)
    if (!hasOneOf(by.roles, roles)) throw roleRequired(roles)
    return undefined
  }
  const app = createApp({ log, name: `${name} internal`, service: name, guards: () => ({ service, operator }), tls })

  app.addHook('onRequest', async ({ routeOptions: { config } }) => {
    const open = config?.endpoint === metrics || ['service', 'operator'].includes(config?.endpoint?.access ?? '')
    if (!open) throw accessDenied()
  })
  // After the body was read: it must be the one that was signed.
  app.addHook('preValidation', async (request) => {
    const by = signatureOf(request)
    if (!by) return
    const body = request.body === undefined ? '' : JSON.stringify(request.body)
    if (bodyDigest(body) !== by.body) throw accessDenied()
  })
  return app
}
