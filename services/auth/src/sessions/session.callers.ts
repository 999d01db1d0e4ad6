import { unauthenticated } from '@nifty/service-kit/errors'
import type { App } from '@nifty/service-kit/http/app'
import { createAuthenticate } from '@nifty/service-kit/http/authentication'
import type { Caller } from '@nifty/service-kit/http/routes'
import type { Sessions } from '@nifty/service-kit/http/sessions'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'
import { isActiveSession } from './session.store.ts'

export type Callers = ReturnType<typeof createCallers>

/**
 * Authenticates requests. In auth every request queries the session's row, so that ending a session takes effect at once
 * in every replica.
 */
export function createCallers(app: App, deps: { db: Kysely<Database>; sessions: Sessions }) {
  const authenticate = createAuthenticate(app, deps.sessions)
  const cache = new WeakMap<FastifyRequest, Promise<Caller>>()

  async function identify(request: FastifyRequest): Promise<Caller> {
    const caller = await authenticate(request)
    const active = await isActiveSession(deps.db, { id: caller.sessionId, accountId: caller.userId })
    if (!active) throw unauthenticated()
    return caller
  }

  const callerOf = (request: FastifyRequest): Promise<Caller> => {
    const caller = cache.get(request) ?? identify(request)
    cache.set(request, caller)
    return caller
  }

  return {
    callerOf,
    /** For a route's `onRequest`, before the body is validated: a 401 reveals nothing about the body. */
    signedIn: async (request: FastifyRequest) => {
      await callerOf(request)
    },
    /** The caller, or undefined without a valid token. */
    callerIfAny: (request: FastifyRequest) =>
      request.headers.authorization ? callerOf(request).catch(() => undefined) : Promise.resolve(undefined),
  }
}
