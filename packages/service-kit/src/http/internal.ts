import { createHash, timingSafeEqual } from 'node:crypto'
import { metrics } from '@nifty/api/infrastructure'
import type { FastifyRequest } from 'fastify'
import { accessDenied } from '../errors.ts'
import type { Log } from '../logs.ts'
import { createApp } from './app.ts'

export const SECRET_HEADER = 'x-internal-secret'

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * The app of a service's internal port. Every request requires the shared secret, unknown paths included; only metrics
 * are open to everyone who reaches the port, because scrapers hold no secret and metrics name no person.
 */
export function createInternalApp({ log, name, secret }: { log: Log; name: string; secret: string }) {
  const expected = digest(secret)
  const requireSecret = async ({ headers, routeOptions }: FastifyRequest) => {
    if (routeOptions.config?.endpoint === metrics) return
    if (!timingSafeEqual(digest(String(headers[SECRET_HEADER] ?? '')), expected)) throw accessDenied()
  }
  // The hook below has already checked every request.
  const admit = async () => undefined
  const guards = () => ({ service: admit, operator: admit })
  const app = createApp({ log, name: `${name} internal`, service: name, guards })
  app.addHook('onRequest', requireSecret)
  return app
}
