/** Operators' endpoint for the audit log; every service has it on its internal port. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { IsoDate, UtcTime } from './shapes.ts'

export type OperatorActionEntry = Static<typeof OperatorActionEntry>
export const OperatorActionEntry = Type.Object({
  at: IsoDate,
  operator: Type.String(),
  /** What was done, such as `refund`. */
  action: Type.String(),
  /** Identifier of what was acted on: an account, an order, a line, a message. */
  subject: Type.String(),
  reason: Type.String(),
})

export const listActions = endpoint({
  summary: 'Lists actions of operators',
  description: 'The newest 500 that match every given filter, newest first.',
  method: 'GET',
  path: '/internal/ops/actions',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  query: Type.Object({
    subject: Type.Optional(Type.String({ maxLength: 200 })),
    /** An action, or an operator's name. */
    word: Type.Optional(Type.String({ maxLength: 200 })),
    since: Type.Optional(UtcTime),
  }),
  response: Type.Object({ actions: Type.Array(OperatorActionEntry) }),
})
