/** Operators' endpoints for single mails, on the internal port of notification. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, IsoDate, Nullable, operatorAction } from '../shapes.ts'

/** At most this many in one response, the newest ones. */
export const FOUND_MAILS = 200

/**
 * What `repeatMail` does: it queues a `copy` of a sent mail, or attempts one that was given up again (`retry`). A
 * `waiting` one is refused, and one with a token, an expired link or an erased content (`no`).
 */
export type MailRepeat = Static<typeof MailRepeat>
export const MailRepeat = Type.Enum(['copy', 'retry', 'waiting', 'no'])

/** A mail without its text. Recipient and subject are empty once they are erased, 30 days after the sending. */
export type Mail = Static<typeof Mail>
export const Mail = Type.Object({
  _id: Id,
  template: Type.String(),
  /** What it is about: the id of an order, a line or an account, and further parts after a dot. */
  subjectId: Type.String(),
  recipient: Type.String(),
  subject: Type.String(),
  queuedAt: IsoDate,
  sentAt: Nullable(IsoDate),
  /** When it was given up. */
  failedAt: Nullable(IsoDate),
  /** Null for mails of former releases. */
  failure: Nullable(Type.Enum(['refused', 'attempts', 'expired'])),
  /** The mail server's response to the last attempt. */
  error: Nullable(Type.String()),
  repeat: MailRepeat,
})

export const findMails = endpoint({
  summary: 'Finds the mails about an order or to an account',
  description: 'Those about any of these ids or to any of these accounts, and those to the address; newest first.',
  method: 'POST',
  path: '/internal/ops/mails/search',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  body: Type.Object({
    /** Of orders, lines, refunds, disputes or accounts. */
    ids: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 })),
    email: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })),
  }),
  response: Type.Object({ mails: Type.Array(Mail) }),
})

export const repeatMail = endpoint({
  summary: 'Sends a mail again',
  description:
    'To the same address. One that was given up is attempted again instead. The caller chooses `newMailId`: a ' +
    'repeated one sends nothing again. 404 `mail_not_found`; 409 `mail_waiting`, `mail_not_repeatable`.',
  method: 'POST',
  path: '/internal/ops/mails/repeat',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  body: Type.Object({ mailId: Id, newMailId: Id, ...operatorAction }),
  response: Mail,
})
