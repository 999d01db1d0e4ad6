import { unauthenticated } from '@nifty/service-kit/base/errors'
import type { Authenticate } from '@nifty/service-kit/http/authentication'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'
import { isActiveSession } from './session.store.ts'

/**
 * Authenticates requests in auth itself: every request queries the session's row, so that ending a session takes effect
 * at once in every replica.
 */
export const requireActiveSession =
  (authenticate: Authenticate, db: Kysely<Database>): Authenticate =>
  async (request) => {
    const caller = await authenticate(request)
    const active = await isActiveSession(db, { id: caller.sessionId, accountId: caller.userId })
    if (!active) throw unauthenticated()
    return caller
  }
