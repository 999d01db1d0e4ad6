import { unauthenticated } from '@nifty/service-kit/errors'
import type { App } from '@nifty/service-kit/http/app'
import { type Caller, createAuthenticate } from '@nifty/service-kit/http/authentication'
import type { Sessions } from '@nifty/service-kit/http/sessions'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'
import { isLiveSession } from './session.store.ts'

export type Callers = ReturnType<typeof createCallers>

/**
 * Who is calling. Here, beside the sessions themselves, every request asks the database, so that a session that was
 * ended is over at once, in every replica of this service.
 */
export function createCallers(app: App, deps: { db: Kysely<Database>; sessions: Sessions }) {
  const authenticate = createAuthenticate(app, deps.sessions)
  const known = new WeakMap<FastifyRequest, Promise<Caller>>()

  async function identify(request: FastifyRequest): Promise<Caller> {
    const caller = await authenticate(request)
    const live = await isLiveSession(deps.db, { id: caller.sessionId, accountId: caller.userId })
    if (!live) throw unauthenticated()
    return caller
  }

  const callerOf = (request: FastifyRequest): Promise<Caller> => {
    const caller = known.get(request) ?? identify(request)
    known.set(request, caller)
    return caller
  }

  return {
    callerOf,
    /** A route's `onRequest`: nobody learns what is wrong with a body who may not send one. */
    signedIn: async (request: FastifyRequest) => {
      await callerOf(request)
    },
    /** The caller, or undefined when nobody with a valid token calls. */
    callerIfAny: (request: FastifyRequest) =>
      request.headers.authorization ? callerOf(request).catch(() => undefined) : Promise.resolve(undefined),
  }
}
