import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { Counter } from 'prom-client'
import type { Log } from '../base/logs.ts'
import type { Metrics } from '../base/metrics.ts'
import { insertSecurityEvent } from './security-event.store.ts'
import { isStored, securityEventOf } from './security-event.ts'

/**
 * A hook `onSend` that stores the security event of a request before its response is sent: no success is sent without
 * its record. A record that cannot be stored is logged whole, and the response is sent all the same.
 */
export function recordSecurityEvents({ db, log, metrics }: { db: Kysely<any>; log: Log; metrics: Metrics }) {
  const counter = new Counter({
    name: 'nifty_security_events_total',
    help: 'Security events by kind and outcome',
    labelNames: ['kind', 'outcome'],
    registers: [metrics.registry],
  })
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const event = securityEventOf(request, reply.statusCode)
    if (!event) return
    counter.inc({ kind: event.kind, outcome: event.outcome })
    if (!isStored(event, request.routeOptions.config.endpoint!)) return
    try {
      await insertSecurityEvent(db, event)
    } catch (err) {
      log.error({ err, securityEvent: event }, 'security event: not stored, it is in this line only')
    }
  }
}
