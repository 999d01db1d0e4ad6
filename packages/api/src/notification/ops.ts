import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { IsoDate, Nullable, operatorAction } from '../shapes.ts'

/** At most this many in one response. */
export const SUBSCRIBERS_PAGE = 200

/**
 * One address of the newsletter. Its links are valid until the subscription ends: `unsubscribeUrl` for the text of a
 * mail, `oneClickUrl` for the header `List-Unsubscribe`.
 */
export type Subscriber = Static<typeof Subscriber>
export const Subscriber = Type.Object({
  email: Type.String(),
  /** Null for an account that switched the newsletter on in its settings. */
  confirmedAt: Nullable(IsoDate),
  unsubscribeUrl: Type.String(),
  oneClickUrl: Type.String(),
})

export const listSubscribers = endpoint({
  summary: 'Lists subscribers of the newsletter',
  description: 'Confirmed addresses that have not unsubscribed, in alphabetical order.',
  method: 'POST',
  path: '/internal/subscribers/list',
  access: 'operator',
  role: 'owner',
  confirm: 'never',
  /** `next` of the page before: an address, which is in no URL. */
  body: Type.Object({ after: Type.Optional(Type.String({ maxLength: 254 })) }),
  response: Type.Object({ subscribers: Type.Array(Subscriber), next: Nullable(Type.String()) }),
})

/** The mail queue. Without addresses and texts. */
export type MailQueue = Static<typeof MailQueue>
export const MailQueue = Type.Object({
  waiting: Type.Integer(),
  /** When the oldest waiting mail was queued. */
  oldest: Nullable(IsoDate),
  /** Mails that are with the mail server now; a part of `waiting`. */
  sending: Type.Integer(),
  /** Given up within 24 hours, after the last attempt or because the link in the mail has expired; not acknowledged. */
  failedLastDay: Type.Integer(),
  /** Refused for good by the mail server within 24 hours, mostly for unknown recipients; not acknowledged. */
  refusedLastDay: Type.Integer(),
  /** Given up or refused within 24 hours, and acknowledged by an operator. */
  acknowledgedLastDay: Type.Integer(),
  /** The mail server's response to the last attempt of the oldest waiting mail, else of the last one given up. */
  error: Nullable(Type.String()),
})
export const getMailQueue = endpoint({
  summary: 'Returns the queue of mails',
  method: 'GET',
  path: '/internal/ops/mails',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  response: MailQueue,
})

export const acknowledgeMails = endpoint({
  summary: 'Acknowledges mails that were given up',
  description:
    'Those that were given up or refused within 24 hours raise no alert any more; later ones do. Idempotent.',
  method: 'POST',
  path: '/internal/ops/mails/acknowledge',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  body: Type.Object(operatorAction),
  response: Type.Object({ acknowledged: Type.Integer() }),
})
