/** Operators' endpoint for security events; every service has it on its internal port. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, IsoDate, Nullable, UtcTime } from './shapes.ts'

export type SecurityEvent = Static<typeof SecurityEvent>
export const SecurityEvent = Type.Object({
  at: IsoDate,
  /** What was attempted, as `endpoints/audited.ts` names it. */
  kind: Type.String(),
  /** `ok`, or the error code of the response. */
  outcome: Type.String(),
  /** The account that acted, that a request claimed to act as, or that an operator changed. */
  userId: Nullable(Id),
  sessionId: Nullable(Id),
  operator: Nullable(Type.String()),
  /** Method and path pattern. */
  route: Type.String(),
  /** IP address of the client. */
  address: Type.String(),
  requestId: Type.String(),
  /** Equal events of this address, and of its IPv6 /48, within the minute that began with this one. */
  count: Type.Integer({ minimum: 1 }),
})

export const listSecurityEvents = endpoint({
  summary: 'Lists security events',
  description: 'The newest 500 that match every given filter, newest first.',
  method: 'GET',
  path: '/internal/ops/security-events',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  query: Type.Object({
    user: Type.Optional(Id),
    address: Type.Optional(Type.String({ maxLength: 64 })),
    kind: Type.Optional(Type.String({ maxLength: 64 })),
    since: Type.Optional(UtcTime),
  }),
  response: Type.Object({ events: Type.Array(SecurityEvent) }),
})
