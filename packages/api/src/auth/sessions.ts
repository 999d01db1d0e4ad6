import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Done, Id, IsoDate } from '../shapes.ts'

/** A session of the caller: one log-in, until its log-out or its token's expiry. */
export type OwnSession = Static<typeof OwnSession>
export const OwnSession = Type.Object({
  _id: Id,
  /** Name of the browser and its system. */
  browser: Type.String(),
  /** Prefix of the address at the log-in. */
  network: Type.String(),
  createdAt: IsoDate,
  thisSession: Type.Boolean(),
})

export const listOwnSessions = endpoint({
  summary: 'Lists the sessions of the caller',
  description: 'The newest 100 that are not ended, newest first.',
  method: 'GET',
  path: '/api/auth/sessions',
  access: 'account',
  response: Type.Object({ sessions: Type.Array(OwnSession) }),
})

export const endOwnSession = endpoint({
  summary: 'Ends a session of the caller, this one included',
  description: 'Idempotent.',
  method: 'DELETE',
  path: '/api/auth/sessions/:id',
  access: 'account',
  params: Type.Object({ id: Id }),
  response: Done,
})

export const endOtherSessions = endpoint({
  summary: 'Ends all sessions of the caller but this one',
  method: 'DELETE',
  path: '/api/auth/sessions',
  access: 'account',
  response: Done,
})
