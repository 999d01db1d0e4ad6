/** Alarms of payments: what it must not resolve without an operator. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Acknowledgement, acknowledgedUntil, IsoDate, Nullable, operatorAction } from '../shapes.ts'

const MAX_NAME = 200

export type Alarm = Static<typeof Alarm>
export const Alarm = Type.Object({
  name: Type.String(),
  /** What it is about: the id of an order, line, session, dispute or refund. */
  subject: Type.String(),
  orderId: Nullable(Type.String()),
  detail: Type.String(),
  times: Type.Integer(),
  firstAt: IsoDate,
  lastAt: IsoDate,
  /** Null while it alarms. */
  acknowledged: Nullable(Acknowledgement),
})

export const acknowledgeAlarm = endpoint({
  summary: 'Acknowledges an alarm',
  description:
    'It raises no alert, until its detail changes, it is raised again after a day without it, or `until`. Idempotent; ' +
    'another `until` replaces the acknowledgement. 400 `invalid_until` for one that is not in the future, 404 ' +
    '`alarm_not_found`.',
  method: 'POST',
  path: '/internal/ops/alarms/acknowledge',
  access: 'operator',
  role: 'money',
  confirm: 'never',
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: MAX_NAME }),
    subject: Type.String({ minLength: 1, maxLength: MAX_NAME }),
    ...acknowledgedUntil,
    ...operatorAction,
  }),
  response: Alarm,
})
