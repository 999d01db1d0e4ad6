/** Endpoints that every server has; probes and scrapers call them. They are not part of the OpenAPI document. */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

const Ok = Type.Object({ ok: Type.Literal(true) })
const infrastructure = { method: 'GET', access: 'public', hidden: true } as const

/** Liveness: the process serves requests. */
export const healthz = endpoint({ path: '/healthz', ...infrastructure, response: Ok })
/** Readiness: the database can be queried and the process is not shutting down. */
export const readyz = endpoint({ path: '/readyz', ...infrastructure, response: Ok })
export const openApi = endpoint({ path: '/openapi.json', ...infrastructure })
/** Prometheus' text format; on the internal port, open to scrapers. */
export const metrics = endpoint({ path: '/metrics', ...infrastructure })
