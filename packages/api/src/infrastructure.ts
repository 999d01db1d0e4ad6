/** Endpoints that every server has; probes and scrapers call them. They are not part of the OpenAPI document. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

const Ok = Type.Object({ ok: Type.Literal(true) })
const infrastructure = { method: 'GET', access: 'public', hidden: true } as const

export const healthz = endpoint({
  summary: 'Liveness: the process serves requests',
  path: '/healthz',
  ...infrastructure,
  response: Ok,
})
export const readyz = endpoint({
  summary: 'Readiness',
  description: 'The database can be queried and the process is not shutting down.',
  path: '/readyz',
  ...infrastructure,
  response: Ok,
})
export const openApi = endpoint({
  summary: 'The OpenAPI document of one server',
  path: '/openapi.json',
  ...infrastructure,
})
export const metrics = endpoint({
  summary: "Metrics in Prometheus' text format",
  description: 'On the internal port, open to scrapers.',
  path: '/metrics',
  ...infrastructure,
})
